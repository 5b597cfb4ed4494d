// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wanted.c - finds a unit's ranges, and decides which units need not be read: those without wanted code (reading.h),
 * which is code whose debug information is needed
 *
 * A unit's ranges are those of its first entry and those of its line table.  The entry alone is not enough: gcc
 * -gdwarf-2 -gstrict-dwarf writes only the range in .text, although a driver has code in INIT and PAGE, too.
 *
 * Spans and functions of a unit outside its ranges are left out.  So a unit without wanted code in its ranges can be
 * skipped without changing an answer, also in a damaged or hostile file.  A unit whose entry has no ranges may have
 * code anywhere, and is always read.
 *
 * .debug_aranges, a list of the ranges of all units, is not used, because it could differ from the units.  The line
 * programs of all units are run instead.  That is quick, compared with reading entries.
 *
 * Two facts are known only after the units with wanted code have been read: which other units have the names of their
 * functions, and where these functions begin (reading.h).  If a skipped unit then turns out to be needed, a new attempt
 * goes through all units again; what an earlier attempt has read comes from the cache.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include <string.h>

enum outcome rs_unit_read_ranges(struct dw_unit *unit)
{
	unit->reader->extent_count = 0;
	enum outcome outcome = rs_unit_add_entry_ranges(unit, unit->values, 0);
	if (outcome != UNIT_REJECTED)
		return outcome;
	unit->fault.why = NULL; /* ignore a damaged range list, because the line table has the ranges, too */
	return UNIT_OK;
}

enum outcome rs_unit_find_ranges(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	uint32_t count = reader->extent_count;
	if (count == 0)
		return UNIT_OK;
	if (rs_array_reserve(&reader->extents, &reader->extent_room, count, unit->rows.sequence_count,
			     sizeof *reader->extents) < 0)
		return rs_fail_memory(reader->reading->err);
	for (uint32_t i = 0; i < unit->rows.sequence_count; i++)
		reader->extents[count++] = (struct extent){ unit->rows.sequences[i].begin, unit->rows.sequences[i].end,
							    0, 0 };
	for (uint32_t i = 0; i < reader->extent_count; i++)
		reader->extents[i].rank = 0;
	if (rs_extents_flatten(reader->extents, count, &unit->known.ranges, &unit->known.range_count) < 0)
		return rs_fail_memory(reader->reading->err);
	unit->known.has_ranges = true;
	return UNIT_OK;
}

bool rs_unit_check_in_ranges(struct dw_unit *unit, uint32_t begin, uint32_t end)
{
	const struct known_unit *known = &unit->known;
	uint32_t i = rs_array_first(known->ranges, known->range_count, sizeof *known->ranges,
				    offsetof(struct extent, end), (uint64_t)begin + 1);
	bool contains = !known->has_ranges ||
			(i < known->range_count && known->ranges[i].begin <= begin && end <= known->ranges[i].end);
	unit->is_clipped |= !contains;
	return contains;
}

bool rs_known_unit_is_wanted(const struct reading *reading, const struct known_unit *unit)
{
	bool wanted = !unit->has_ranges;
	for (uint32_t i = 0; i < unit->range_count && !wanted; i++)
		wanted = rs_reading_is_wanted(reading, unit->ranges[i].begin, unit->ranges[i].end);
	return wanted;
}

bool rs_unit_want_if_skipped(struct dw_reader *reader, uint32_t offset)
{
	struct known_unit *unit = rs_known_unit_at(reader, offset);
	const bool is_new = unit && unit->skipped;
	if (is_new)
		unit->skipped = false;
	return is_new;
}

/* ------------------------------------------------------------------------------------------------ the cache */

/* The cache has the ranges of each unit, which decide if the unit can be skipped; and the lines and scopes of the units
   that were read, for the next attempt.  A process that makes several tables for one image keeps the cache, so that it
   reads each unit at most once.  A unit with a fault is not cached: it is read for each table, with its warnings. */

struct known_unit *rs_known_unit_at(const struct dw_reader *reader, uint64_t offset)
{
	const struct dw_keep *keep = reader->keep;
	uint32_t i = rs_array_first(keep->units, keep->count, sizeof *keep->units, offsetof(struct known_unit, end),
				    offset + 1);
	return i < keep->count && keep->units[i].begin <= offset ? &keep->units[i] : NULL;
}

enum outcome rs_known_add_unit(struct dw_unit *unit)
{
	struct dw_keep *keep = unit->reader->keep;
	struct known_unit *known = rs_known_unit_at(unit->reader, unit->header.start);
	if (!unit->reader->reading->wanted)
		return UNIT_OK;
	if (known) {
		rs_known_unit_clear(known); /* it was skipped before, or not added by an earlier attempt */
	} else {
		if (rs_array_grow(&keep->units, &keep->room, keep->count, sizeof *keep->units) < 0)
			return rs_fail_memory(unit->reader->reading->err);
		/* Units are added in ascending order, except those that had a fault in an earlier call. */
		known = keep->units + rs_array_first(keep->units, keep->count, sizeof *known,
						     offsetof(struct known_unit, begin), unit->header.start);
		memmove(known + 1, known, (size_t)(keep->units + keep->count++ - known) * sizeof *known);
	}
	*known = unit->known;
	known->begin = unit->header.start;
	known->end = unit->header.next;
	unit->known = (struct known_unit){ .is_read = false };
	return UNIT_OK;
}

void rs_known_unit_clear(struct known_unit *unit)
{
	rs_free(unit->ranges);
	rs_free(unit->segments);
	rs_free(unit->scopes);
	rs_free(unit->extents);
}

void rs_dwarf_free_kept_units(struct dw_keep *keep)
{
	if (!keep)
		return;
	rs_dw_sections_clear(&keep->sections);
	for (uint32_t i = 0; i < keep->count; i++)
		rs_known_unit_clear(&keep->units[i]);
	rs_free(keep->units);
	rs_free(keep);
}
