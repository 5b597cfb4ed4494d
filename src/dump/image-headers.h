/* SPDX-License-Identifier: GPL-2.0-or-later */
/* image-headers.h - reads the headers of an image in memory: DateStamp, checksum, version, PDB file, sections */
#ifndef DUMP_IMAGE_HEADERS_H
#define DUMP_IMAGE_HEADERS_H

#include "dump/memory/memory.h"
#include "dump/dump-module.h"

/* Store DateStamp, checksum, version, and GUID and age of the PDB file in MODULE, whose base and size are set.  A field
   stays as it is if MEMORY lacks the bytes that it is read from. */
void rs_image_headers_read(const struct dump_memory *memory, struct dump_module *module);

/* Find the section NAME of the IMAGE in MEMORY.  False: IMAGE has no such section, or MEMORY lacks IMAGE's headers.  A name of
   more than 8 bytes is in the image's string table, which the loader does not map.  So .eh_frame, whose name is too long, is
   recognized by its content: it begins with a CIE (unwind/cfi-entry.h), and hardly any other section does. */
bool rs_mapped_section_find(const struct dump_memory *memory, const struct dump_range *image, const char *name,
			    uint32_t *rva, uint32_t *size);

#endif
