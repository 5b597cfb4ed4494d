// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dwarf-ranges.c - the ranges of code of an entry, from one pair of addresses or from a range list
 *
 * Range lists are read here, because libdwarf 20210528 frees memory twice when it meets a damaged .debug_rnglists,
 * whether it is asked for it or not.  It never sees that section.
 */
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "lib/array.h"

/* The rank of a range of LENGTH bytes (extents.h).  The smallest range around an address belongs to the innermost
   scope; of ranges with equal lengths, the one of the last scope does, because inner entries follow outer ones. */
static uint64_t scope_rank(uint32_t length, uint32_t scope)
{
	return (uint64_t)length << 32 | (UINT32_MAX - scope);
}

static enum outcome add_range(struct dwarf_unit *unit, uint32_t scope, uint64_t low, uint64_t high)
{
	struct dwarf_reader *reader = unit->reader;
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
		return unit_reject(unit, UNIT_TOO_LARGE);
	if (rs_array_grow(&reader->extents, &reader->extent_room, reader->extent_count, sizeof *reader->extents) < 0)
		return reading_memory(reader->reading);
	reader->extents[reader->extent_count++] = extent;
	return UNIT_OK;
}

/* .debug_ranges, up to DWARF 4: pairs of offsets from a base, which is the unit's low_pc until a pair changes it. */
static enum outcome read_pairs(struct dwarf_unit *unit, uint32_t scope, uint64_t offset)
{
	struct decoder c = dwarf_object_from(unit->reader->object, ".debug_ranges", offset);
	uint64_t base = unit->low_pc, mask = unit->address_size == 8 ? UINT64_MAX : UINT32_MAX;
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK) {
		uint64_t low = decoder_uint(&c, unit->address_size), high = decoder_uint(&c, unit->address_size);
		if (c.bad || !unit_work(unit, WORK_RANGE))
			return unit_reject(unit, "range list");
		if (low == 0 && high == 0)
			break;
		if (low == mask)
			base = high;
		else
			outcome = add_range(unit, scope, (base + low) & mask, (base + high) & mask);
	}
	return outcome;
}

uint64_t unit_address_at(const struct dwarf_unit *unit, uint64_t index)
{
	if (index > UINT32_MAX)
		return 0;
	struct decoder c = dwarf_object_from(unit->reader->object, ".debug_addr",
					     unit->addr_base + index * unit->address_size);
	return decoder_uint(&c, unit->address_size);
}

/* .debug_rnglists, DWARF 5: entries of several kinds, some with numbers of addresses in .debug_addr.  Kinds that set
   only the base leave LOW and HIGH equal, and add no range. */
static enum outcome read_list(struct dwarf_unit *unit, uint32_t scope, uint64_t offset)
{
	struct decoder c = dwarf_object_from(unit->reader->object, ".debug_rnglists", offset);
	uint64_t base = unit->low_pc;
	unsigned size = unit->address_size;
	enum outcome outcome = UNIT_OK;
	while (outcome == UNIT_OK) {
		uint64_t low = 0, high = 0;
		switch (decoder_u8(&c)) {
		case DW_RLE_end_of_list:
			return c.bad ? unit_reject(unit, "range list") : UNIT_OK;
		case DW_RLE_base_addressx:
			base = unit_address_at(unit, decoder_uleb(&c));
			break;
		case DW_RLE_startx_endx:
			low = unit_address_at(unit, decoder_uleb(&c));
			high = unit_address_at(unit, decoder_uleb(&c));
			break;
		case DW_RLE_startx_length:
			low = unit_address_at(unit, decoder_uleb(&c));
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
			return unit_reject(unit, "range list");
		}
		if (c.bad || !unit_work(unit, WORK_RANGE))
			return unit_reject(unit, "range list");
		if (low < high)
			outcome = add_range(unit, scope, low, high);
	}
	return outcome;
}

/* Store in *RET the offset of list number INDEX.  The table of offsets begins at the unit's rnglists_base, after a
   header, and the offsets are relative to its beginning. */
static bool list_at(const struct dwarf_unit *unit, uint64_t index, uint64_t *ret)
{
	if (index > UINT32_MAX)
		return false;
	struct decoder c = dwarf_object_from(unit->reader->object, ".debug_rnglists",
					     unit->rnglists_base + index * unit->offset_size);
	*ret = unit->rnglists_base + decoder_uint(&c, unit->offset_size);
	return !c.bad;
}

static enum outcome read_ranges(struct dwarf_unit *unit, uint32_t scope, const struct entry_code *code)
{
	uint64_t value = code->ranges;
	if (!code->knows_ranges || (code->ranges_form == DW_FORM_rnglistx && !list_at(unit, value, &value)))
		return unit_reject(unit, "range list");
	return unit->version >= 5 ? read_list(unit, scope, value)
				  : read_pairs(unit, scope, (unit->is_split ? unit->ranges_base : 0) + value);
}

static bool is_address_form(Dwarf_Half form)
{
	switch (form) {
	case DW_FORM_addr:
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return true;
	default:
		return false;
	}
}

/* Entries in a .dwo file have numbers of addresses, which are in the image: libdwarf cannot look them up. */
static bool read_address(struct dwarf_unit *unit, Dwarf_Attribute attribute, Dwarf_Half form, uint64_t *ret)
{
	Dwarf_Debug dbg = unit->reader->dbg;
	uint64_t index;
	if (!unit->is_split || form == DW_FORM_addr)
		return dwarf_object_address(dbg, attribute, ret);
	if (!dwarf_object_address_index(dbg, attribute, &index))
		return false;
	*ret = unit_address_at(unit, index);
	return true;
}

/* Since DWARF 4, high_pc may be the length of the range instead of its end; the form tells. */
static void read_high_pc(struct dwarf_unit *unit, struct entry_code *code, Dwarf_Attribute attribute, Dwarf_Half form)
{
	if (is_address_form(form)) {
		code->has_high = read_address(unit, attribute, form, &code->high);
	} else {
		code->has_high = dwarf_object_number(unit->reader->dbg, attribute, &code->high);
		code->high_is_length = true;
	}
}

void unit_code_attribute(struct dwarf_unit *unit, struct entry_code *code, Dwarf_Half number, Dwarf_Attribute attribute,
			 Dwarf_Half form)
{
	if (number == DW_AT_low_pc) {
		code->has_low = read_address(unit, attribute, form, &code->low);
	} else if (number == DW_AT_high_pc) {
		read_high_pc(unit, code, attribute, form);
	} else {
		code->has_ranges = true;
		code->knows_ranges = dwarf_object_number(unit->reader->dbg, attribute, &code->ranges);
		code->ranges_form = form;
	}
}

enum outcome unit_add_code(struct dwarf_unit *unit, const struct entry_code *code, uint32_t scope)
{
	enum outcome outcome = UNIT_OK;
	if (code->has_ranges)
		outcome = read_ranges(unit, scope, code);
	if (outcome == UNIT_OK && code->has_low && code->has_high)
		outcome = add_range(unit, scope, code->low, code->high_is_length ? code->low + code->high : code->high);
	return outcome;
}
