// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf-unit.h"
#include "debuginfo/array.h"

/* Of the scopes around an address the one with the smallest range holds; of equal ones the last, which is the innermost. */
static uint64_t scope_rank(uint32_t length, uint32_t scope)
{
	return (uint64_t)length << 32 | (UINT32_MAX - scope);
}

enum outcome unit_add_range(struct dwarf_unit *unit, uint32_t scope, uint64_t low, uint64_t high)
{
	struct dwarf_reader *reader = unit->reader;
	struct extent extent = { .what = scope };
	if (!reading_clip(reader->reading, low, high, &extent.begin, &extent.end))
		return UNIT_OK;
	extent.rank = scope_rank(extent.end - extent.begin, scope);

	/* Ranges that touch are one. */
	struct extent *last = reader->extent_count ? &reader->extents[reader->extent_count - 1] : NULL;
	if (last && last->what == scope && last->end == extent.begin) {
		last->end = extent.end;
		last->rank = scope_rank(last->end - last->begin, scope);
		return UNIT_OK;
	}
	struct extent *extents = array_grow(reader->extents, &reader->extent_room, reader->extent_count, sizeof *extents);
	if (!extents)
		return reading_memory(reader->reading);
	reader->extents = extents;
	extents[reader->extent_count++] = extent;
	return UNIT_OK;
}

/* .debug_ranges, up to DWARF 4: pairs of offsets from a base, which is the unit's low_pc until an entry changes it. */
static enum outcome read_pairs(struct dwarf_unit *unit, uint32_t scope, Dwarf_Die die, Dwarf_Off offset)
{
	Dwarf_Ranges *ranges = NULL;
	Dwarf_Signed count = 0;
	Dwarf_Unsigned bytes = 0;
	Dwarf_Off real = 0;
	Dwarf_Debug dbg = unit->reader->dbg;
	int res = dwarf_get_ranges_b(dbg, offset, die, &real, &ranges, &count, &bytes, &unit->error);
	if (res == DW_DLV_NO_ENTRY)
		return UNIT_OK;
	if (res != DW_DLV_OK)
		return unit_reject(unit, "range list");

	enum outcome outcome = unit_work(unit, (uint64_t)count) ? UNIT_OK : unit_reject(unit, "range list");
	uint64_t base = unit->low_pc, mask = unit->reader->object->wide ? UINT64_MAX : UINT32_MAX;
	for (Dwarf_Signed i = 0; i < count && outcome == UNIT_OK; i++) {
		if (ranges[i].dwr_type == DW_RANGES_END)
			break;
		if (ranges[i].dwr_type == DW_RANGES_ADDRESS_SELECTION)
			base = ranges[i].dwr_addr2;
		else
			outcome = unit_add_range(unit, scope, (base + ranges[i].dwr_addr1) & mask,
						 (base + ranges[i].dwr_addr2) & mask);
	}
	dwarf_dealloc(dbg, ranges, DW_DLA_RANGES);
	return outcome;
}

/* .debug_rnglists, DWARF 5.  VALUE is an offset or an index, as FORM says. */
static enum outcome read_list(struct dwarf_unit *unit, uint32_t scope, Dwarf_Attribute attribute, Dwarf_Half form,
			      Dwarf_Unsigned value)
{
	Dwarf_Rnglists_Head head = NULL;
	Dwarf_Unsigned count = 0, offset = 0;
	/* libdwarf looks for the list's header among all of them. */
	if (!unit_work(unit, unit->reader->ranges_contexts / 16))
		return unit_reject(unit, "range list");
	int res = dwarf_rnglists_get_rle_head(attribute, form, value, &head, &count, &offset, &unit->error);
	if (res == DW_DLV_NO_ENTRY)
		return UNIT_OK;
	if (res != DW_DLV_OK)
		return unit_reject(unit, "range list");

	enum outcome outcome = unit_work(unit, count) ? UNIT_OK : unit_reject(unit, "range list");
	for (Dwarf_Unsigned i = 0; i < count && outcome == UNIT_OK; i++) {
		unsigned length = 0, code = 0;
		Dwarf_Unsigned raw1 = 0, raw2 = 0, low = 0, high = 0;
		Dwarf_Bool unavailable = 0;
		if (dwarf_get_rnglists_entry_fields_a(head, i, &length, &code, &raw1, &raw2, &unavailable, &low, &high,
						      &unit->error) != DW_DLV_OK) {
			outcome = unit_reject(unit, "range list");
			break;
		}
		if (code == DW_RLE_end_of_list)
			break;
		if (code != DW_RLE_base_address && code != DW_RLE_base_addressx && !unavailable)
			outcome = unit_add_range(unit, scope, low, high);
	}
	dwarf_dealloc_rnglists_head(head);
	return outcome;
}

enum outcome unit_read_ranges(struct dwarf_unit *unit, uint32_t scope, Dwarf_Die die, Dwarf_Attribute attribute)
{
	Dwarf_Half form = 0;
	Dwarf_Unsigned value = 0;
	if (dwarf_whatform(attribute, &form, &unit->error) != DW_DLV_OK)
		return unit_reject(unit, "range list");
	if (form == DW_FORM_rnglistx) {
		if (dwarf_formudata(attribute, &value, &unit->error) != DW_DLV_OK)
			return unit_reject(unit, "range list");
	} else if (dwarf_global_formref(attribute, &value, &unit->error) != DW_DLV_OK) {
		return unit_reject(unit, "range list");
	}
	return unit->version >= 5 ? read_list(unit, scope, attribute, form, value) : read_pairs(unit, scope, die, value);
}
