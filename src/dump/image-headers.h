/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-headers.h - reads the headers of an image in memory: DateStamp, checksum, version, PDB file */
#ifndef DUMP_IMAGE_HEADERS_H
#define DUMP_IMAGE_HEADERS_H

#include "dump/memory/memory.h"
#include "dump/dump-module.h"

/* Store DateStamp, checksum, version, and GUID and age of the PDB file in MODULE, whose base and size are set.  A field
   stays as it is if MEMORY lacks the bytes that it is read from. */
void rs_image_headers_read(const struct dump_memory *memory, struct dump_module *module);

#endif
