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

/* After this many attempts, no unit is skipped: in a hostile file, each attempt could find one more needed unit. */
enum { ATTEMPTS_MAX = 3 };

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

int rs_dw_mark_lines_read(struct dw_reader *reader, uint64_t offset)
{
	if (!reader->lines_read)
		reader->lines_read = rs_alloc(reader->sections.items[DW_LINE].size / 8 + 1, 1);
	if (!reader->lines_read)
		return rs_fail_memory(reader->reading->err);
	reader->lines_read[offset / 8] |= (uint8_t)(1 << offset % 8);
	return 0;
}

static enum outcome add_span_if_wanted(struct dw_unit *unit, const struct span *span)
{
	struct reading *reading = unit->reader->reading;
	return rs_reading_is_wanted(reading, span->begin, span->end) ? rs_reading_add_span(reading, span) : UNIT_OK;
}

enum outcome rs_unit_add_wanted_span(struct dw_unit *unit, const struct span *span)
{
	const struct known_unit *known = &unit->known;
	if (!known->has_ranges)
		return add_span_if_wanted(unit, span);
	while (unit->range_at < known->range_count && known->ranges[unit->range_at].end <= span->begin)
		unit->range_at++;
	for (uint32_t i = unit->range_at; i < known->range_count && known->ranges[i].begin < span->end; i++) {
		struct span part = *span;
		part.begin = known->ranges[i].begin > span->begin ? known->ranges[i].begin : span->begin;
		part.end = known->ranges[i].end < span->end ? known->ranges[i].end : span->end;
		if (add_span_if_wanted(unit, &part) < 0)
			return UNIT_FATAL;
	}
	return UNIT_OK;
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

bool rs_dw_mark_units_with_wanted_code(struct dw_reader *reader, bool more, uint32_t first_function)
{
	struct dw_keep *keep = reader->keep;
	rs_reading_extend_wanted_code(reader->reading, first_function);
	for (uint32_t i = 0; i < keep->count; i++) {
		struct known_unit *unit = &keep->units[i];
		if (unit->skipped && rs_known_unit_is_wanted(reader->reading, unit)) {
			unit->skipped = false;
			more = true;
		}
	}
	for (uint32_t i = 0; more && reader->attempt + 1 >= ATTEMPTS_MAX && i < keep->count; i++)
		keep->units[i].skipped = false;
	return more;
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
	if (known) {
		known->code = unit->known.code;
		unit->known.code = NULL;
		return UNIT_OK;
	}
	if (!unit->reader->reading->wanted)
		return UNIT_OK;
	if (rs_array_grow(&keep->units, &keep->room, keep->count, sizeof *keep->units) < 0)
		return rs_fail_memory(unit->reader->reading->err);
	/* Units are added in ascending order, except those that had a fault in an earlier call. */
	known = keep->units + rs_array_first(keep->units, keep->count, sizeof *known,
					     offsetof(struct known_unit, begin), unit->header.start);
	memmove(known + 1, known, (size_t)(keep->units + keep->count++ - known) * sizeof *known);
	*known = unit->known;
	known->begin = unit->header.start;
	known->end = unit->header.next;
	unit->known = (struct known_unit){ .code = NULL };
	return UNIT_OK;
}

/* Shrink the memory at ITEMS to COUNT items of SIZE bytes.  Returns where the items are now. */
static void *shrink_to_count(void *items, uint32_t count, size_t size)
{
	void *smaller = rs_resize(items, (size_t)count + 1, size);
	return smaller ? smaller : items;
}

enum outcome rs_known_store_code(struct dw_unit *unit, struct known_code *code)
{
	struct dw_reader *reader = unit->reader;
	struct known_code *kept = unit->known.code = rs_alloc(1, sizeof *kept);
	struct scope *scopes = rs_resize(NULL, (size_t)code->scope_count + 1, sizeof *scopes); /* not zeroed */
	if (!kept || !scopes) {
		rs_free(scopes);
		return rs_fail_memory(reader->reading->err);
	}
	if (code->scope_count > 0)
		memcpy(scopes, code->scopes, code->scope_count * sizeof *scopes);
	*kept = *code;
	kept->scopes = scopes;
	kept->lines = shrink_to_count(code->lines, code->line_count, sizeof *code->lines);
	kept->extents = shrink_to_count(code->extents, code->extent_count, sizeof *code->extents);
	*code = (struct known_code){ .lines = NULL };
	reader->segments = NULL;
	reader->segment_count = reader->segment_room = 0;
	return UNIT_OK;
}

void rs_known_unit_clear(struct known_unit *unit)
{
	struct known_code *code = unit->code;
	rs_free(unit->ranges);
	if (!code)
		return;
	rs_free(code->lines);
	rs_free(code->scopes);
	rs_free(code->extents);
	rs_free(code);
}

enum outcome rs_known_restore_scopes(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	const struct known_code *code = unit->known.code;
	unit->first_scope = reader->scope_count;
	if (rs_array_reserve(&reader->scopes, &reader->scope_room, reader->scope_count, code->scope_count,
			     sizeof *reader->scopes) < 0)
		return rs_fail_memory(reader->reading->err);
	memcpy(reader->scopes + reader->scope_count, code->scopes, code->scope_count * sizeof *code->scopes);
	reader->scope_count += code->scope_count;
	return UNIT_OK;
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
