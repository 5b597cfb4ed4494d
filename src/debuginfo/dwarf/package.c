// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf/package.h"
#include "core/bytes.h"

/* The index begins with a header, whose fields have these offsets.  Five arrays follow: for each slot, the id of a
   unit; for each slot, the number of that unit's row, from 1 on, or 0 if the slot is free; for each column, a kind of
   section; for each row and column, the offset of the unit's part of that section; for each row and column, the size of
   that part. */
enum { AT_VERSION = 0, AT_COLUMNS = 4, AT_UNITS = 8, AT_SLOTS = 12, HEADER_SIZE = 16 };
enum { ID_SIZE = 8, NUMBER_SIZE = 4 };
enum { VERSION_GNU = 2, VERSION_5 = 5 };

const char *rs_package_open(struct package_index *index, const uint8_t *bytes, uint32_t size)
{
	if (size < HEADER_SIZE)
		return "the header is cut off";
	/* In version 5, the version has 2 bytes, and 2 zero bytes follow it. */
	*index = (struct package_index){ .bytes = bytes,
					 .version = rs_le32(bytes + AT_VERSION),
					 .columns = rs_le32(bytes + AT_COLUMNS),
					 .units = rs_le32(bytes + AT_UNITS),
					 .slots = rs_le32(bytes + AT_SLOTS) };
	if (index->version != VERSION_GNU && index->version != VERSION_5)
		return "it is of an unknown version";
	if ((index->slots & (index->slots - 1)) != 0)
		return "the number of its slots is no power of two";
	const uint64_t left = size - HEADER_SIZE;
	if (index->slots > left / (ID_SIZE + NUMBER_SIZE) || index->columns > left / NUMBER_SIZE ||
	    (index->columns > 0 && index->units > left / NUMBER_SIZE / 2 / index->columns) ||
	    (uint64_t)index->slots * (ID_SIZE + NUMBER_SIZE) + (uint64_t)index->columns * NUMBER_SIZE +
			    (uint64_t)index->columns * index->units * 2 * NUMBER_SIZE >
		    left)
		return "it is longer than the section";
	return NULL;
}

/* Returns the number of the row of the unit ID, from 1 on; 0 if it has none.  The limit of steps ends the search in a table
   without a free slot. */
static uint32_t find_package_row(const struct package_index *index, uint64_t id)
{
	const uint8_t *ids = index->bytes + HEADER_SIZE, *rows = ids + (size_t)index->slots * ID_SIZE;
	const uint32_t mask = index->slots - 1;
	uint32_t slot = (uint32_t)id & mask;
	for (uint32_t i = 0; i < index->slots; i++, slot = (slot + ((uint32_t)(id >> 32) | 1)) & mask) {
		const uint32_t row = rs_le32(rows + (size_t)slot * NUMBER_SIZE);
		if (row == 0 || rs_le64(ids + (size_t)slot * ID_SIZE) == id)
			return row;
	}
	return 0;
}

/* Returns the section of a column of KIND (DW_SECT_*); DW_SECTIONS if it is not needed. */
static enum dw_section_id section_of_kind(const struct package_index *index, uint32_t kind)
{
	enum { KIND_INFO = 1, KIND_ABBREV = 3, KIND_STR_OFFSETS = 6, KIND_RNGLISTS = 8 };
	switch (kind) {
	case KIND_INFO:
		return DW_INFO;
	case KIND_ABBREV:
		return DW_ABBREV;
	case KIND_STR_OFFSETS:
		return DW_STR_OFFSETS;
	case KIND_RNGLISTS: /* in version 2, this is .debug_macro */
		return index->version == VERSION_5 ? DW_RNGLISTS : DW_SECTIONS;
	default:
		return DW_SECTIONS;
	}
}

bool rs_package_find(const struct package_index *index, uint64_t id, const struct dw_sections *whole,
		     struct dw_sections *part, const char **why)
{
	const uint32_t row = index->slots > 0 ? find_package_row(index, id) : 0;
	const uint8_t *kinds = index->bytes + HEADER_SIZE + (size_t)index->slots * (ID_SIZE + NUMBER_SIZE);
	const size_t row_size = (size_t)index->columns * NUMBER_SIZE;
	bool has_info = false;
	*why = row > index->units ? "the row of a unit is not there" : NULL;
	if (row == 0 || *why)
		return false;
	const uint8_t *offsets = kinds + row * row_size, *sizes = offsets + index->units * row_size;
	*part = *whole;
	for (uint32_t i = 0; i < index->columns; i++) {
		const enum dw_section_id section = section_of_kind(index, rs_le32(kinds + (size_t)i * NUMBER_SIZE));
		if (section == DW_SECTIONS)
			continue;
		const uint32_t offset = rs_le32(offsets + (size_t)i * NUMBER_SIZE);
		struct dw_section *item = &part->items[section];
		item->size = rs_le32(sizes + (size_t)i * NUMBER_SIZE);
		if (!rs_in_range(offset, item->size, whole->items[section].size)) {
			*why = "a part ends past the end of its section";
			return false;
		}
		item->bytes = item->size > 0 ? whole->items[section].bytes + offset : NULL;
		has_info |= section == DW_INFO && item->size > 0;
	}
	*why = has_info ? NULL : "a unit has no part of .debug_info";
	return has_info;
}
