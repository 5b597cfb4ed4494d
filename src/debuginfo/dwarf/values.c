// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * values.c - finds what a value refers to: an address, a string, another entry, ranges of code (DWARF 5, 2.17)
 *
 * The ranges of scopes (functions and inlined calls) become extents of the reader.  A function with a parameter RET
 * stores in *RET what it finds, and returns true.  If the value is of another class or refers to something outside a
 * section, it returns false, and *RET is unchanged: the attribute counts as absent.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/array.h"

#include <stddef.h>

bool rs_unit_number_at(const struct dw_unit *unit, enum dw_section_id id, uint64_t index, uint64_t *ret)
{
	const struct unit_header *header = &unit->header;
	const unsigned size = id == DW_ADDR ? header->encoding.address_size : header->encoding.offset_size;
	const uint64_t base = id == DW_ADDR	     ? unit->addr_base
			      : id == DW_STR_OFFSETS ? header->str_offsets_base
						     : header->rnglists_base;
	if (index > UINT32_MAX)
		return false;
	struct decoder c = dw_decode_section(unit->sections, id, base + index * size);
	const uint64_t number = decoder_uint(&c, size);
	if (!c.bad)
		*ret = number;
	return !c.bad;
}

bool rs_value_address(const struct dw_unit *unit, const struct value *value, uint64_t *ret)
{
	if (value->class == CLASS_ADDRESS) {
		*ret = value->number;
		return true;
	}
	uint64_t address;
	if ((value->class != CLASS_ADDRESS_INDEX && value->class != CLASS_ADDRESS_OFFSET) ||
	    !rs_unit_number_at(unit, DW_ADDR, value->number, &address))
		return false;
	*ret = address + value->offset;
	return true;
}

bool rs_value_reference(const struct dw_unit *unit, const struct value *value, uint32_t *ret)
{
	uint64_t offset = value->number;
	if (value->class == CLASS_UNIT_REFERENCE && offset < unit->header.next - unit->header.start)
		offset += unit->header.start;
	else if (value->class != CLASS_REFERENCE)
		return false;
	if (offset >= unit->sections->items[DW_INFO].size)
		return false;
	*ret = (uint32_t)offset;
	return true;
}

bool rs_value_string(const struct dw_unit *unit, const struct value *value, const char **ret)
{
	uint64_t offset = value->number;
	if (value->class == CLASS_STRING && value->text) {
		*ret = value->text;
		return true;
	}
	if (value->class == CLASS_STRING_INDEX
		    ? !rs_unit_number_at(unit, DW_STR_OFFSETS, value->number, &offset)
		    : value->class != CLASS_STRING_OFFSET && value->class != CLASS_LINE_STRING)
		return false;
	struct decoder c = dw_decode_section(unit->sections, value->class == CLASS_LINE_STRING ? DW_LINE_STR : DW_STR,
					     offset);
	const char *text = decoder_string(&c);
	if (text)
		*ret = text;
	return text != NULL;
}

/* ------------------------------------------------------------------------------------------------ ranges */

/* Returns the rank (reading.h) of a range of SCOPE with LENGTH bytes.  The innermost scope has the smallest range
   around an address, so it gets the lowest rank.  If lengths are equal, the last scope is the innermost one, since
   inner entries follow outer ones. */
static uint64_t scope_rank(uint32_t length, uint32_t scope)
{
	return (uint64_t)length << 32 | (UINT32_MAX - scope);
}

/* Add the range of VMAs from LOW up to HIGH, code of SCOPE, to the reader's extents, if it is in code of the image. */
static enum outcome add_scope_range(struct dw_unit *unit, uint32_t scope, uint64_t low, uint64_t high)
{
	struct dw_reader *reader = unit->reader;
	struct extent extent = { .what = scope };
	if (!rs_reading_clip_to_rvas(reader->reading, low, high, &extent.begin, &extent.end))
		return UNIT_OK;
	extent.rank = scope_rank(extent.end - extent.begin, scope);

	/* Join adjacent ranges of a scope, so that their rank comes from their length together. */
	struct extent *last = reader->extent_count ? &reader->extents[reader->extent_count - 1] : NULL;
	if (last && last->what == scope && last->end == extent.begin) {
		last->end = extent.end;
		last->rank = scope_rank(last->end - last->begin, scope);
		return UNIT_OK;
	}
	if (reader->extent_count >= reader->spans_left)
		return rs_unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + unit->entry,
				      UNIT_TOO_LARGE);
	return RS_ARRAY_ADD(reader->extents, reader->extent_room, reader->extent_count, reader->reading->err, extent);
}

struct range_list {
	const struct dw_unit *unit;
	struct decoder c;
	uint64_t base;	    /* the address to which offsets are relative */
	uint64_t low, high; /* the range in the last entry that was read; equal if that entry has no range */
	bool is_unknown;    /* the last entry is of an unknown kind */
};

/* Read the next entry of .debug_ranges, up to DWARF 4: a pair of offsets, or a new base.  False at the list's end. */
static bool read_ranges_entry(struct range_list *list)
{
	const unsigned size = list->unit->header.encoding.address_size;
	const uint64_t mask = size == 8 ? UINT64_MAX : UINT32_MAX;
	const uint64_t low = decoder_uint(&list->c, size), high = decoder_uint(&list->c, size);
	if (low == mask)
		list->base = high;
	list->low = low == mask ? 0 : (list->base + low) & mask;
	list->high = low == mask ? 0 : (list->base + high) & mask;
	return low != 0 || high != 0;
}

/* Kinds of operands of an entry of .debug_rnglists. */
enum operand {
	NONE,
	ADDRESS,
	INDEX,	/* index of an address in .debug_addr */
	OFFSET, /* offset from the base */
	LENGTH, /* length of the range */
};

/* Read an operand of the kind OPERAND, and return the address that it stands for. */
static uint64_t read_operand(struct range_list *list, uint8_t operand)
{
	uint64_t address = 0; /* if .debug_addr lacks the index, stays 0, an address without code */
	switch (operand) {
	case ADDRESS:
		return decoder_uint(&list->c, list->unit->header.encoding.address_size);
	case INDEX:
		rs_unit_number_at(list->unit, DW_ADDR, decoder_uleb(&list->c), &address);
		return address;
	case OFFSET:
		return list->base + decoder_uleb(&list->c);
	default:
		return list->low + decoder_uleb(&list->c);
	}
}

/* Read the next entry of .debug_rnglists, since DWARF 5.  False at the end of the list, or if its kind is unknown. */
static bool read_rnglists_entry(struct range_list *list)
{
	static const uint8_t kinds[][2] = {
		{ NONE, NONE },	      /* DW_RLE_end_of_list */
		{ INDEX, NONE },      /* DW_RLE_base_addressx */
		{ INDEX, INDEX },     /* DW_RLE_startx_endx */
		{ INDEX, LENGTH },    /* DW_RLE_startx_length */
		{ OFFSET, OFFSET },   /* DW_RLE_offset_pair */
		{ ADDRESS, NONE },    /* DW_RLE_base_address */
		{ ADDRESS, ADDRESS }, /* DW_RLE_start_end */
		{ ADDRESS, LENGTH },  /* DW_RLE_start_length */
	};
	const uint8_t kind = decoder_u8(&list->c);
	list->is_unknown = kind >= sizeof kinds / sizeof *kinds;
	if (list->is_unknown || kind == 0)
		return false;
	list->low = read_operand(list, kinds[kind][0]);
	if (kinds[kind][1] == NONE)
		list->base = list->high = list->low;
	else
		list->high = read_operand(list, kinds[kind][1]);
	return true;
}

/* Add the ranges of SCOPE in the list to which VALUE refers by index or offset, in .debug_rnglists or .debug_ranges. */
static enum outcome add_range_list(struct dw_unit *unit, uint32_t scope, const struct value *value)
{
	const bool is_new = unit->header.encoding.version >= 5, is_index = value->class == CLASS_LIST_INDEX;
	const enum dw_section_id section = is_new ? DW_RNGLISTS : DW_RANGES;
	struct range_list list = { .unit = unit, .base = unit->low };
	uint64_t offset;
	if (is_index ? !rs_unit_number_at(unit, DW_RNGLISTS, value->number, &offset) : !rs_value_number(value, &offset))
		return rs_unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + unit->entry,
				      "the range list is not there");
	if (is_index)
		offset += unit->header.rnglists_base;
	if (!is_new && unit->is_split)
		offset += unit->ranges_base;
	list.c = dw_decode_section(unit->sections, section, offset);
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK) {
		const uint8_t *at = list.c.at;
		const bool more = is_new ? read_rnglists_entry(&list) : read_ranges_entry(&list);
		if (list.c.bad)
			return rs_unit_reject(unit, section, at, "a range list ends too early");
		if (list.is_unknown)
			return rs_unit_reject(unit, section, at, "a range list has an entry of an unknown kind");
		if (!more)
			break;
		outcome = rs_unit_spend_work(unit, WORK_RANGE)
				  ? add_scope_range(unit, scope, list.low, list.high)
				  : rs_unit_reject(unit, section, at, "range lists are read too often");
	}
	return outcome;
}

enum outcome rs_unit_add_entry_ranges(struct dw_unit *unit, const struct value *values, uint32_t scope)
{
	const struct value *end = &values[AT_HIGH_PC];
	enum outcome outcome = UNIT_OK;
	uint64_t low, high;
	if (values[AT_RANGES].class != CLASS_ABSENT)
		outcome = add_range_list(unit, scope, &values[AT_RANGES]);
	if (outcome != UNIT_OK || !rs_value_address(unit, &values[AT_LOW_PC], &low))
		return outcome;
	/* Since DWARF 4, DW_AT_high_pc can be the length of the range in place of its end. */
	if (rs_value_number(end, &high))
		high += low;
	else if (!rs_value_address(unit, end, &high))
		return UNIT_OK;
	return add_scope_range(unit, scope, low, high);
}

enum outcome rs_unit_read_ranges(struct dw_unit *unit)
{
	unit->reader->extent_count = 0;
	enum outcome outcome = rs_unit_add_entry_ranges(unit, unit->values, 0);
	if (outcome != UNIT_REJECTED)
		return outcome;
	unit->fault.why = NULL; /* ignore a damaged range list, because the line table has the ranges, too */
	return UNIT_OK;
}

bool rs_unit_check_in_ranges(struct dw_unit *unit, uint32_t begin, uint32_t end)
{
	const struct known_unit *known = &unit->known;
	const bool contains = known->range_count == 0 ||
			      rs_extents_contain(known->ranges, known->range_count, begin, end);
	unit->is_clipped |= !contains;
	return contains;
}
