// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wanted.c - a unit's own ranges, and which units need not be read
 *
 * A unit's own ranges are those of its entry and those of its line table.  Its entry alone is not enough: gcc -gdwarf-2
 * -gstrict-dwarf gives it only the range in .text, although a driver has code in INIT and PAGE, too.
 *
 * What a unit says about code outside its own ranges is left out.  So a unit without wanted code in them can be passed
 * over, and all answers for the wanted code stay the same, also in a damaged or hostile file.  A unit whose entry has
 * no ranges may have code anywhere, and is always read.
 *
 * .debug_aranges, a list of the ranges of all units, is not used: it could differ from what the units say.  The line
 * tables of all units are run instead.  That takes little time; most of it goes into reading entries.
 *
 * Two things are only known after the units with wanted code have been read: which other units have the names of their
 * functions, and where these functions begin (reading.h).  If that makes another unit necessary, the reading begins
 * again with that unit, too.
 */
#include "config.h"
#include "debuginfo/dwarf/range-lists.h"
#include "debuginfo/dwarf/wanted.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

/* After so many attempts all units are read: a hostile file could make each one lead to another one. */
enum { MOST_ATTEMPTS = 3 };

enum outcome unit_read_own(struct dw_unit *unit)
{
	unit->reader->extent_count = 0;
	enum outcome outcome = unit_add_code(unit, &unit->code, 0);
	if (outcome != UNIT_REJECTED)
		return outcome;
	unit->fault.why = NULL; /* the lines tell enough */
	return UNIT_OK;
}

enum outcome unit_find_own(struct dw_unit *unit)
{
	struct dw_reader *reader = unit->reader;
	uint32_t count = reader->extent_count;
	if (count == 0)
		return UNIT_OK;
	if (rs_array_reserve(&reader->extents, &reader->extent_room, count, unit->rows.sequence_count,
			     sizeof *reader->extents) < 0)
		return reading_memory(reader->reading);
	for (uint32_t i = 0; i < unit->rows.sequence_count; i++)
		reader->extents[count++] = (struct extent){ unit->rows.sequences[i].begin, unit->rows.sequences[i].end,
							    0, 0 };
	for (uint32_t i = 0; i < reader->extent_count; i++)
		reader->extents[i].rank = 0;
	if (extents_flatten(reader->extents, count, &unit->own, &unit->own_count) < 0)
		return reading_memory(reader->reading);
	unit->has_own = true;
	return UNIT_OK;
}

bool unit_owns(struct dw_unit *unit, uint32_t begin, uint32_t end)
{
	uint32_t i = rs_array_first(unit->own, unit->own_count, sizeof *unit->own, offsetof(struct extent, end),
				    (uint64_t)begin + 1);
	bool owns = !unit->has_own || (i < unit->own_count && unit->own[i].begin <= begin && end <= unit->own[i].end);
	unit->is_clipped |= !owns;
	return owns;
}

int dw_mark_lines(struct dw_reader *reader, uint64_t offset)
{
	if (!reader->lines_read)
		reader->lines_read = rs_alloc(reader->sections.items[DW_LINE].size / 8 + 1, 1);
	if (!reader->lines_read)
		return reading_memory(reader->reading);
	reader->lines_read[offset / 8] |= (uint8_t)(1 << offset % 8);
	return 0;
}

static enum outcome add_wanted(struct reading *reading, const struct span *span)
{
	return reading_is_wanted(reading, span->begin, span->end) ? reading_span(reading, span) : UNIT_OK;
}

enum outcome unit_span(struct dw_unit *unit, const struct span *span)
{
	struct reading *reading = unit->reader->reading;
	uint32_t at = span->begin;
	if (!unit->has_own)
		return add_wanted(reading, span);
	while (unit->own_at < unit->own_count && unit->own[unit->own_at].end <= span->begin)
		unit->own_at++;
	for (uint32_t i = unit->own_at; i < unit->own_count && unit->own[i].begin < span->end; i++) {
		struct span part = *span;
		part.begin = unit->own[i].begin > span->begin ? unit->own[i].begin : span->begin;
		part.end = unit->own[i].end < span->end ? unit->own[i].end : span->end;
		unit->is_clipped |= part.begin > at;
		at = part.end;
		if (add_wanted(reading, &part) < 0)
			return UNIT_FATAL;
	}
	unit->is_clipped |= at < span->end;
	return UNIT_OK;
}

bool dw_has_wanted(const struct dw_reader *reader, const struct extent *own, uint32_t count)
{
	bool wanted = false;
	for (uint32_t i = 0; i < count && !wanted; i++)
		wanted = reading_is_wanted(reader->reading, own[i].begin, own[i].end);
	return wanted;
}

bool unit_need_passed(struct dw_reader *reader, uint32_t offset)
{
	struct known_unit *unit = known_at(reader, offset);
	const bool is_new = unit && unit->passed;
	if (is_new)
		unit->passed = false;
	return is_new;
}

bool dw_needs_more(struct dw_reader *reader, bool more, uint32_t first_function)
{
	struct dw_keep *keep = reader->keep;
	reading_want_functions(reader->reading, first_function);
	for (uint32_t i = 0; i < keep->count; i++) {
		struct known_unit *unit = &keep->units[i];
		if (unit->passed && dw_has_wanted(reader, known_ranges(reader, unit), unit->count)) {
			unit->passed = false;
			more = true;
		}
	}
	for (uint32_t i = 0; more && reader->attempt + 1 >= MOST_ATTEMPTS && i < keep->count; i++)
		keep->units[i].passed = false;
	return more;
}
