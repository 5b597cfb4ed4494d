// SPDX-License-Identifier: GPL-2.0-or-later
/* dwarf-sections.c - finds the DWARF sections, and decompresses them */
#include "config.h"
#include "debuginfo/dwarf/dwarf-sections.h"
#include "debuginfo/base/decompress.h"
#include "lib/base/alloc.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	bool stays; /* with gcc -gsplit-dwarf, the image has this section; .dwo files have the others */
} kinds[DW_SECTIONS] = {
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

const char *rs_dw_section_name(enum dw_section_id id)
{
	return kinds[id].name;
}

/* Limits of the uncompressed size of a section.  Debug information usually has 3 times its compressed size, rarely 10
   times.  The format of zlib allows Z_RATIO_MAX times, that of zstd 43690 times: a hostile file of a megabyte could ask
   for more than a gigabyte.  So a section may have at most Z_RATIO times its compressed size, plus Z_FREE bytes for
   small sections, such as the line table of many equal statements.  DW_SECTIONS times Z_FREE is 72 MiB. */
enum { Z_RATIO_MAX = 1032, Z_RATIO = 64, Z_FREE = 8 << 20 };

uint64_t rs_dw_credible_size(uint64_t whole, uint64_t size, uint32_t compression)
{
	return (compression == COMPRESSION_ZLIB && whole > size * Z_RATIO_MAX) || whole > size * Z_RATIO + Z_FREE ||
			       whole > UINT32_MAX
		       ? 0
		       : whole;
}

uint64_t rs_dw_credible_total(uint64_t whole, uint64_t size)
{
	const uint64_t most = size * Z_RATIO + (uint64_t)DW_SECTIONS * Z_FREE;
	return whole < most ? whole : most;
}

/* Decode the header of FOUND, a .zdebug_* section, and let FOUND begin after it.  The header is "ZLIB", then the
   uncompressed size as a big-endian number of 8 bytes. */
static void decode_z_header(struct section_bytes *found)
{
	const bool good = found->size > DW_Z_HEADER && memcmp(found->bytes, "ZLIB", 4) == 0;
	found->compression = good ? COMPRESSION_ZLIB : COMPRESSION_UNKNOWN;
	found->whole_size = 0;
	for (int i = 4; i < DW_Z_HEADER && good; i++)
		found->whole_size = found->whole_size << 8 | found->bytes[i];
	if (good) {
		found->bytes += DW_Z_HEADER;
		found->size -= DW_Z_HEADER;
	}
}

uint64_t rs_dw_uncompressed_size(const uint8_t *bytes, uint32_t size)
{
	struct section_bytes section = { .bytes = bytes, .size = size };
	decode_z_header(&section);
	return rs_dw_credible_size(section.whole_size, section.size, COMPRESSION_ZLIB);
}

/* Decompress FOUND into new memory of SECTION.  Returns 1; 0 if that is impossible; or -1 if memory runs out. */
static int decompress_section(struct dw_section *section, struct reading *reading, const struct section_bytes *found)
{
	const uint64_t length = rs_dw_credible_size(found->whole_size, found->size, found->compression);
	if (length == 0 || rs_decompress_missing_library(found->compression) || found->compression > COMPRESSION_ZSTD)
		return 0;
	section->heap = rs_alloc((size_t)length, 1);
	if (!section->heap)
		return rs_fail_memory(reading->err);
	if (!rs_decompress(found->compression, found->bytes, found->size, section->heap, (size_t)length)) {
		rs_free(section->heap);
		section->heap = NULL;
		return 0;
	}
	section->bytes = section->heap;
	section->size = (uint32_t)length;
	return 1;
}

int rs_dw_section_find(struct dw_section *section, struct reading *reading, const char *name)
{
	struct section_bytes found;
	char z_name[32];
	if (!rs_symbol_file_find_section(&reading->symbols, name, &found)) {
		snprintf(z_name, sizeof z_name, ".z%s", name + 1);
		name = z_name;
		if (!rs_symbol_file_find_section(&reading->symbols, name, &found))
			return 0;
		decode_z_header(&found);
	}
	*section = (struct dw_section){ .rva = found.rva };
	if (found.compression == 0) {
		section->bytes = found.bytes;
		section->size = found.size;
		return 1;
	}
	const int ret = decompress_section(section, reading, &found);
	const char *library = rs_decompress_missing_library(found.compression);
	section->unreadable = ret == 0;
	if (ret == 0 && library)
		rs_reading_warn(reading, "section %s is compressed, and this program was built without %s", name,
				library);
	else if (ret == 0)
		rs_reading_warn(reading, "section %s cannot be decompressed", name);
	return ret;
}

/* Find section ID for a .dwo file: in IMAGE if -gsplit-dwarf leaves it there, else in the .dwo file, as NAME.dwo. */
static int find_split_section(struct dw_section *section, struct reading *reading, const struct dw_sections *image,
			      enum dw_section_id id)
{
	char split[32];
	if (kinds[id].stays) {
		*section = image->items[id];
		section->heap = NULL;
		return section->bytes != NULL;
	}
	snprintf(split, sizeof split, "%s.dwo", kinds[id].name);
	return rs_dw_section_find(section, reading, split);
}

int rs_dw_sections_find(struct dw_sections *sections, struct reading *reading, const struct dw_sections *image)
{
	*sections = (struct dw_sections){ .size = 0 };
	for (int id = 0; id < DW_SECTIONS; id++) {
		struct dw_section *section = &sections->items[id];
		int found = image ? find_split_section(section, reading, image, (enum dw_section_id)id)
				  : rs_dw_section_find(section, reading, kinds[id].name);
		if (found < 0)
			return -1;
		sections->unreadable += section->unreadable;
		if (!found && id == DW_INFO)
			return 0;
		sections->size += section->size;
	}
	return 1;
}

void rs_dw_sections_clear(struct dw_sections *sections)
{
	for (int id = 0; id < DW_SECTIONS; id++)
		rs_free(sections->items[id].heap);
}
