/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapped-sections.h - sections of an image that is in memory
 *
 * Names of more than 8 bytes are in the image's string table, which is not in memory.  Of these, .eh_frame is known by its
 * content: it begins with a CIE (unwind/cfi-entry.h), and no other section does.
 */
#ifndef DUMP_MAPPED_SECTIONS_H
#define DUMP_MAPPED_SECTIONS_H

#include "dump/memory.h"

/* Find the section NAME of the IMAGE in MEMORY.  False: there is none, or it is not known. */
bool rs_mapped_section_find(const struct dump_memory *memory, const struct dump_range *image, const char *name,
			    uint32_t *rva, uint32_t *size);

#endif
