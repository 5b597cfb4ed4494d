/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwarf-sections.h - the DWARF sections of an image, or of a .dwo file, uncompressed
 *
 * Only sections that help to find lines, functions and inlined calls are read: not .debug_types, which describes no
 * code, nor .debug_aranges, which repeats the ranges of all units, but could differ from these.
 */
#ifndef DEBUGINFO_DWARF_DWARF_SECTIONS_H
#define DEBUGINFO_DWARF_DWARF_SECTIONS_H

#include "debuginfo/base/decoder.h"
#include "debuginfo/base/reading.h"

enum dw_section_id {
	DW_INFO,
	DW_ABBREV,
	DW_STR,
	DW_LINE_STR,
	DW_STR_OFFSETS,
	DW_ADDR,
	DW_LINE,
	DW_RANGES,
	DW_RNGLISTS,
	DW_SECTIONS,
};

struct dw_section {
	const uint8_t *bytes; /* NULL = there is no such section, or it is unreadable */
	uint32_t size;
	uint32_t rva;
	uint8_t *heap;	 /* if the section was compressed: BYTES, to be freed; else NULL */
	bool unreadable; /* the section is compressed, and cannot be decompressed */
};

struct dw_sections {
	struct dw_section items[DW_SECTIONS];
	uint64_t size;	     /* bytes of all sections together */
	uint32_t unreadable; /* how many sections are unreadable */
};

/* Find the sections of the file reading->symbols; free them with rs_dw_sections_clear(), also after a failure.  For a
   .dwo file, IMAGE has the sections of its image; those that -gsplit-dwarf leaves in the image, such as .debug_line,
   are taken from there.  Else IMAGE is NULL.  Returns 1; 0 if there is no .debug_info; or -1 if memory runs out. */
int rs_dw_sections_find(struct dw_sections *sections, struct reading *reading, const struct dw_sections *image);
void rs_dw_sections_clear(struct dw_sections *sections);

/* Find the section NAME of the file reading->symbols, or its compressed form.  Returns 1; 0 if there is none or, after
   a warning, if it cannot be decompressed; or -1 if memory runs out. */
int rs_dw_section_find(struct dw_section *section, struct reading *reading, const char *name);

/* Returns WHOLE, the uncompressed size that a section of SIZE compressed bytes claims to have; 0 if WHOLE is too large
   to be credible for SIZE.  COMPRESSION: see decompress.h. */
uint64_t rs_dw_credible_size(uint64_t whole, uint64_t size, uint32_t compression);

/* Returns WHOLE, the sum of the uncompressed sizes that the sections of a file of SIZE bytes claim to have; but at most
   as many bytes as rs_dw_credible_size() can allow for all its sections. */
uint64_t rs_dw_credible_total(uint64_t whole, uint64_t size);

/* Returns the uncompressed size that a .zdebug_* section of SIZE bytes claims to have; 0 if it is too large.  BYTES has
   the section's first DW_Z_HEADER bytes, or all of them if there are fewer. */
enum { DW_Z_HEADER = 12 };
uint64_t rs_dw_uncompressed_size(const uint8_t *bytes, uint32_t size);

const char *rs_dw_section_name(enum dw_section_id id);

/* Returns a decoder for the bytes of section ID from OFFSET on; it is bad if there are none. */
static inline struct decoder dw_decode_section(const struct dw_sections *sections, enum dw_section_id id,
					       uint64_t offset)
{
	const struct dw_section *section = &sections->items[id];
	/* In C, nothing may be added to NULL, the bytes of an absent section. */
	const uint8_t *end = section->size > 0 ? section->bytes + section->size : section->bytes;
	if (offset >= section->size)
		return (struct decoder){ .at = end, .end = end, .bad = true };
	return (struct decoder){ section->bytes + offset, end, false };
}

#endif
