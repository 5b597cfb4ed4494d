/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image-version.h - reads the version of an image in memory
 *
 * The version is in the first resource of type RT_VERSION.  Resources are in a tree: a directory of types leads to
 * one of names, and that to one of languages.
 */
#ifndef DUMP_IMAGE_VERSION_H
#define DUMP_IMAGE_VERSION_H

#include "dump/memory/memory.h"
#include "dump/dump-module.h"

/* Store the version of MODULE, whose resource directory is at RVA.  If MEMORY lacks the resource, the version stays as
   it is. */
void rs_image_version_read(const struct dump_memory *memory, struct dump_module *module, uint32_t rva);

#endif
