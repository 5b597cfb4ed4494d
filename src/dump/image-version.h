/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * image-version.h - the version of a module that is in memory
 *
 * It is in the first resource of the type RT_VERSION: a directory of types leads to one of names, and that to one of languages.
 */
#ifndef DUMP_IMAGE_VERSION_H
#define DUMP_IMAGE_VERSION_H

#include "dump/memory.h"
#include "dump/dump-module.h"

/* Store the version of MODULE, whose directory of resources is at RVA.  What MEMORY does not have stays as it is. */
void rs_image_version_read(const struct dump_memory *memory, struct dump_module *module, uint32_t rva);

#endif
