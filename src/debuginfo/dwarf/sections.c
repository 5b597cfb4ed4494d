// SPDX-License-Identifier: GPL-2.0-or-later
/* sections.c - finds the DWARF sections, and decompresses them */
#include "config.h"
#include "debuginfo/dwarf/sections.h"
#include "lib/alloc.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

/* A .zdebug_* section is "ZLIB", the uncompressed size as a big-endian number of 8 bytes, and the compressed data. */
enum { Z_HEADER_SIZE = 12 };

static const struct {
	const char *name;
	bool stays;		/* the section stays in the image when the compiler splits debug information */
} known[DW_SECTIONS] = {
	[DW_INFO] = { ".debug_info", false },
	[DW_ABBREV] = { ".debug_abbrev", false },
	[DW_STR] = { ".debug_str", false },
	[DW_LINE_STR] = { ".debug_line_str", true },
	[DW_STR_OFFSETS] = { ".debug_str_offsets", false },
	[DW_ADDR] = { ".debug_addr", true },
	[DW_LINE] = { ".debug_line", true },
	[DW_RANGES] = { ".debug_ranges", true },
	[DW_RNGLISTS] = { ".debug_rnglists", false },
};

const char *dw_section_name(enum dw_section_id id)
{
	return known[id].name;
}

/* The largest ratio of uncompressed to compressed size.  Debug information shrinks to a third, seldom to a tenth. zlib's
   format allows a thousandth, so a hostile file of a megabyte could ask for a gigabyte. */
enum { Z_LARGEST_RATIO = 64 };

uint64_t dw_uncompressed_size(const uint8_t *bytes, uint32_t size)
{
	uint64_t length = 0;
	if (size <= Z_HEADER_SIZE || memcmp(bytes, "ZLIB", 4) != 0)
		return 0;
	for (int i = 4; i < Z_HEADER_SIZE; i++)
		length = length << 8 | bytes[i];
	return length > (uint64_t)size * Z_LARGEST_RATIO || length > UINT32_MAX ? 0 : length;
}

#ifdef HAVE_ZLIB

/* Decompress the SIZE bytes of a .zdebug_* section into SECTION.  Returns 1, 0 if the data is damaged, or -1 without memory. */
static int inflate_section(struct dw_section *section, struct reading *reading, const uint8_t *bytes, uint32_t size)
{
	const uint64_t length = dw_uncompressed_size(bytes, size);
	if (length == 0)
		return 0;
	section->own = rs_alloc((size_t)length, 1);
	if (!section->own)
		return reading_memory(reading);
	uLongf have = (uLongf)length;
	if (uncompress(section->own, &have, bytes + Z_HEADER_SIZE, size - Z_HEADER_SIZE) != Z_OK || have != length) {
		rs_free(section->own);
		section->own = NULL;
		return 0;
	}
	section->bytes = section->own;
	section->size = (uint32_t)length;
	return 1;
}

#define CANNOT_DECOMPRESS "section %s cannot be decompressed"

#else

static int inflate_section(struct dw_section *section, struct reading *reading, const uint8_t *bytes, uint32_t size)
{
	(void)section, (void)reading, (void)bytes, (void)size;
	return 0;
}

#define CANNOT_DECOMPRESS "section %s is compressed, and this program was built without zlib"

#endif

/* Find the section called NAME, or its compressed form.  Returns 1, 0 if there is none (with a warning if it is damaged), or
   -1. */
static int find_section(struct dw_section *section, struct reading *reading, const char *name)
{
	struct section_bytes found;
	if (reading_section(reading, name, &found)) {
		*section = (struct dw_section){ found.bytes, found.size, found.rva, NULL, false };
		return 1;
	}

	char compressed[32];
	snprintf(compressed, sizeof compressed, ".z%s", name + 1);
	if (!reading_section(reading, compressed, &found))
		return 0;
	*section = (struct dw_section){ .rva = found.rva };
	int ret = inflate_section(section, reading, found.bytes, found.size);
	section->unreadable = ret == 0;
	if (ret == 0)
		reading_warn(reading, CANNOT_DECOMPRESS, compressed);
	return ret;
}

/* Find section ID for a .dwo file: in the file, where its name ends in .dwo, or else in IMAGE. */
static int find_split_section(struct dw_section *section, struct reading *reading, const struct dw_sections *image,
			      enum dw_section_id id)
{
	char split[32];
	if (known[id].stays) {
		*section = image->items[id];
		section->own = NULL;
		return section->bytes != NULL;
	}
	snprintf(split, sizeof split, "%s.dwo", known[id].name);
	return find_section(section, reading, split);
}

int dw_sections_find(struct dw_sections *sections, struct reading *reading, const struct dw_sections *image)
{
	*sections = (struct dw_sections){ .size = 0 };
	for (int id = 0; id < DW_SECTIONS; id++) {
		struct dw_section *section = &sections->items[id];
		int found = image ? find_split_section(section, reading, image, (enum dw_section_id)id)
				  : find_section(section, reading, known[id].name);
		if (found < 0)
			return -1;
		sections->unreadable += section->unreadable;
		if (!found && id == DW_INFO)
			return 0;
		sections->size += section->size;
	}
	return 1;
}

void dw_sections_clear(struct dw_sections *sections)
{
	for (int id = 0; id < DW_SECTIONS; id++)
		rs_free(sections->items[id].own);
}
