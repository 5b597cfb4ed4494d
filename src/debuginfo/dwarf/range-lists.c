// SPDX-License-Identifier: GPL-2.0-or-later
/* range-lists.c - reads the ranges of code of an entry, from one pair of addresses or from a range list */
#include "config.h"
#include "debuginfo/dwarf/constants.h"
#include "debuginfo/dwarf/range-lists.h"
#include "debuginfo/dwarf/values.h"
#include "lib/base/array.h"

/* The rank of a range of LENGTH bytes (extents.h), the lowest for the innermost scope: that has the smallest
   range around an address.  Of ranges with equal lengths, that of the last scope is the innermost, since inner
   entries follow outer ones. */
static uint64_t scope_rank(uint32_t length, uint32_t scope)
{
	return (uint64_t)length << 32 | (UINT32_MAX - scope);
}

static enum outcome add_range(struct dw_unit *unit, uint32_t scope, uint64_t low, uint64_t high)
{
	struct dw_reader *reader = unit->reader;
	struct extent extent = { .what = scope };
	if (!reading_clip(reader->reading, low, high, &extent.begin, &extent.end))
		return UNIT_OK;
	extent.rank = scope_rank(extent.end - extent.begin, scope);

	/* Join adjacent ranges of a scope, so that their length counts as one. */
	struct extent *last = reader->extent_count ? &reader->extents[reader->extent_count - 1] : NULL;
	if (last && last->what == scope && last->end == extent.begin) {
		last->end = extent.end;
		last->rank = scope_rank(last->end - last->begin, scope);
		return UNIT_OK;
	}
	if (reader->extent_count >= reader->room)
		return unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + unit->entry, UNIT_TOO_LARGE);
	if (rs_array_grow(&reader->extents, &reader->extent_room, reader->extent_count, sizeof *reader->extents) < 0)
		return reading_memory(reader->reading);
	reader->extents[reader->extent_count++] = extent;
	return UNIT_OK;
}

#define NO_END "a range list ends too early"
#define TOO_OFTEN "range lists are read too often"

/* .debug_ranges, up to DWARF 4: pairs of offsets from a base, which is the unit's low_pc until a pair changes it. */
static enum outcome read_pairs(struct dw_unit *unit, uint32_t scope, uint64_t offset)
{
	struct decoder c = dw_section_from(unit->sections, DW_RANGES, offset);
	const unsigned size = unit->header.encoding.address_size;
	uint64_t base = unit->code.low, mask = size == 8 ? UINT64_MAX : UINT32_MAX;
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK) {
		const uint8_t *at = c.at;
		uint64_t low = decoder_uint(&c, size), high = decoder_uint(&c, size);
		if (c.bad || !unit_work(unit, WORK_RANGE))
			return unit_reject(unit, DW_RANGES, at, c.bad ? NO_END : TOO_OFTEN);
		if (low == 0 && high == 0)
			break;
		if (low == mask)
			base = high;
		else
			outcome = add_range(unit, scope, (base + low) & mask, (base + high) & mask);
	}
	return outcome;
}

/* The address with INDEX in .debug_addr; 0, which is never code, if there is none. */
static uint64_t address_at(const struct dw_unit *unit, uint64_t index)
{
	uint64_t address = 0;
	unit_number_at(unit, DW_ADDR, index, &address);
	return address;
}

/* .debug_rnglists, DWARF 5: entries of several kinds, some with indices of addresses in .debug_addr.  Kinds that only
   set the base leave LOW and HIGH equal, so they add no range. */
static enum outcome read_list(struct dw_unit *unit, uint32_t scope, uint64_t offset)
{
	struct decoder c = dw_section_from(unit->sections, DW_RNGLISTS, offset);
	uint64_t base = unit->code.low;
	unsigned size = unit->header.encoding.address_size;
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK) {
		const uint8_t *at = c.at;
		uint64_t low = 0, high = 0;
		switch (decoder_u8(&c)) {
		case DW_RLE_end_of_list:
			return c.bad ? unit_reject(unit, DW_RNGLISTS, at, NO_END) : UNIT_OK;
		case DW_RLE_base_addressx:
			base = address_at(unit, decoder_uleb(&c));
			break;
		case DW_RLE_startx_endx:
			low = address_at(unit, decoder_uleb(&c));
			high = address_at(unit, decoder_uleb(&c));
			break;
		case DW_RLE_startx_length:
			low = address_at(unit, decoder_uleb(&c));
			high = low + decoder_uleb(&c);
			break;
		case DW_RLE_offset_pair:
			low = base + decoder_uleb(&c);
			high = base + decoder_uleb(&c);
			break;
		case DW_RLE_base_address:
			base = decoder_uint(&c, size);
			break;
		case DW_RLE_start_end:
			low = decoder_uint(&c, size);
			high = decoder_uint(&c, size);
			break;
		case DW_RLE_start_length:
			low = decoder_uint(&c, size);
			high = low + decoder_uleb(&c);
			break;
		default:
			return unit_reject(unit, DW_RNGLISTS, at, "a range list has an entry of an unknown kind");
		}
		if (c.bad || !unit_work(unit, WORK_RANGE))
			return unit_reject(unit, DW_RNGLISTS, at, c.bad ? NO_END : TOO_OFTEN);
		if (low < high)
			outcome = add_range(unit, scope, low, high);
	}
	return outcome;
}

/* Read the range list of CODE.  Its reference is an index, or an offset in .debug_rnglists or .debug_ranges. */
static enum outcome read_ranges(struct dw_unit *unit, uint32_t scope, const struct entry_code *code)
{
	uint64_t value = code->ranges;
	if (!code->knows_ranges || (code->ranges_is_index && !unit_number_at(unit, DW_RNGLISTS, value, &value)))
		return unit_reject(unit, DW_INFO, unit->sections->items[DW_INFO].bytes + unit->entry,
				   "the range list is not there");
	if (code->ranges_is_index)
		value += unit->header.rnglists_base;
	return unit->header.encoding.version >= 5
		       ? read_list(unit, scope, value)
		       : read_pairs(unit, scope, (unit->is_split ? unit->ranges_base : 0) + value);
}

void entry_code_attribute(struct dw_unit *unit, struct entry_code *code, uint16_t name, const struct value *value)
{
	const bool is_address = value_is_address(value);
	if (name == DW_AT_low_pc) {
		code->has_low = value_address(unit, value, &code->low);
	} else if (name == DW_AT_high_pc) { /* since DWARF 4 it may be the length of the range instead of its end */
		code->has_high = is_address ? value_address(unit, value, &code->high)
					    : value_number(value, &code->high);
		code->high_is_length = !is_address;
	} else {
		code->has_ranges = true;
		code->ranges_is_index = value->class == CLASS_LIST_INDEX;
		code->ranges = value->number;
		code->knows_ranges = code->ranges_is_index || value_number(value, &code->ranges);
	}
}

enum outcome unit_add_code(struct dw_unit *unit, const struct entry_code *code, uint32_t scope)
{
	enum outcome outcome = UNIT_OK;
	if (code->has_ranges)
		outcome = read_ranges(unit, scope, code);
	if (outcome == UNIT_OK && code->has_low && code->has_high)
		outcome = add_range(unit, scope, code->low, code->high_is_length ? code->low + code->high : code->high);
	return outcome;
}
