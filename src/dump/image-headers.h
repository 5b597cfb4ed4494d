/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-headers.h - what the headers of a module say that is in memory: DateStamp, checksum, version, PDB file */
#ifndef DUMP_IMAGE_HEADERS_H
#define DUMP_IMAGE_HEADERS_H

#include "dump/memory.h"
#include "dump/dump-module.h"

/* Store this in MODULE, whose base and size are known.  What MEMORY does not have stays as it is. */
void rs_image_headers_read(const struct dump_memory *memory, struct dump_module *module);

#endif
