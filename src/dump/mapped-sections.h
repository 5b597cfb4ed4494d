/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mapped-sections.h - finds sections of an image in memory
 *
 * A name of more than 8 bytes is in the image's string table, which the loader does not map.  So .eh_frame, whose
 * name is too long, is recognized by its content: it begins with a CIE (unwind/cfi-entry.h), and hardly any other
 * section does.
 */
#ifndef DUMP_MAPPED_SECTIONS_H
#define DUMP_MAPPED_SECTIONS_H

#include "dump/memory/memory.h"

/* Find the section NAME of the IMAGE in MEMORY.  False: IMAGE has no such section, or MEMORY lacks IMAGE's headers. */
bool rs_mapped_section_find(const struct dump_memory *memory, const struct dump_range *image, const char *name,
			    uint32_t *rva, uint32_t *size);

#endif
