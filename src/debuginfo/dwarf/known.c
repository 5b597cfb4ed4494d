// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/dwarf/known.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <string.h>

struct known_unit *known_at(const struct dw_reader *reader, uint64_t offset)
{
	const struct dw_keep *keep = reader->keep;
	uint32_t i = rs_array_first(keep->units, keep->count, sizeof *keep->units, offsetof(struct known_unit, end),
				    offset + 1);
	return i < keep->count && keep->units[i].begin <= offset ? &keep->units[i] : NULL;
}

enum outcome known_add(struct dw_unit *unit)
{
	struct dw_keep *keep = unit->reader->keep;
	struct known_unit *known = known_at(unit->reader, unit->header.start);
	if (known) {
		known->code = unit->known.code;
		unit->known.code = NULL;
		return UNIT_OK;
	}
	if (!unit->reader->reading->wanted)
		return UNIT_OK;
	if (rs_array_grow(&keep->units, &keep->room, keep->count, sizeof *keep->units) < 0)
		return reading_memory(unit->reader->reading);
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

/* A copy of COUNT items of SIZE bytes, from index FIRST on, also if COUNT is 0; NULL only without memory. */
static void *copy_of(const void *items, uint32_t first, uint32_t count, size_t size)
{
	void *copy = rs_resize(NULL, (size_t)count + 1, size); /* not zeroed */
	if (copy && count > 0)
		memcpy(copy, (const char *)items + first * size, count * size);
	return copy;
}

/* Add BY to the indices of parents in SCOPES, from index FIRST up to END. */
static void renumber(struct scope *scopes, uint32_t first, uint32_t end, uint32_t by)
{
	for (uint32_t i = first; i < end; i++)
		if (scopes[i].parent != NO_SCOPE)
			scopes[i].parent += by;
}

enum outcome known_copy(struct dw_unit *unit, uint32_t first, const struct extent *extents, uint32_t count)
{
	const struct dw_reader *reader = unit->reader;
	if (!reader->reading->wanted)
		return UNIT_OK;
	struct known_code *code = unit->known.code = rs_alloc(1, sizeof *code);
	if (!code)
		return reading_memory(reader->reading);
	code->line_count = reader->segment_count;
	code->scope_count = reader->scope_count - first;
	code->extent_count = count;
	code->has_functions = unit->has_functions;
	code->lines = copy_of(reader->segments, 0, code->line_count, sizeof *code->lines);
	code->scopes = copy_of(reader->scopes, first, code->scope_count, sizeof *code->scopes);
	code->extents = copy_of(extents, 0, count, sizeof *code->extents);
	if (!code->lines || !code->scopes || !code->extents)
		return reading_memory(reader->reading);
	renumber(code->scopes, 0, code->scope_count, -first);
	for (uint32_t i = 0; i < count; i++)
		code->extents[i].what -= first;
	return UNIT_OK;
}

void known_free(struct known_unit *unit)
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

/* Ascending and disjoint items of SIZE bytes, whose first two members are "begin" and "end". */
struct ranges {
	const void *items;
	uint32_t count;
	size_t size;
};

/* Find the next items around wanted code, at or after index *AT, and one neighbour on each side: neighbours tell where
   an answer begins and ends.  *WANTED is the index of the next wanted range, and is advanced.  *AT becomes the index of
   the first item found.  Returns how many there are; 0 if there are no more. */
static uint32_t next_wanted(const struct reading *reading, const struct ranges *ranges, uint32_t *wanted, uint32_t *at)
{
	while (*wanted < reading->wanted_count) {
		const struct extent *around = &reading->wanted[(*wanted)++];
		uint32_t begin = rs_array_first(ranges->items, ranges->count, ranges->size,
						offsetof(struct extent, end), (uint64_t)around->begin + 1);
		uint32_t end = rs_array_first(ranges->items, ranges->count, ranges->size,
					      offsetof(struct extent, begin), around->end);
		begin -= begin > 0;
		end += end < ranges->count;
		*at = begin > *at ? begin : *at;
		if (*at < end)
			return end - *at;
	}
	return 0;
}

/* Copy those of RANGES around wanted code to COPY, which has room for all.  Returns how many were copied. */
static uint32_t copy_wanted(const struct reading *reading, const struct ranges *ranges, void *copy)
{
	uint32_t kept = 0, wanted = 0, at = 0, count;
	while ((count = next_wanted(reading, ranges, &wanted, &at)) > 0) {
		memcpy((char *)copy + kept * ranges->size, (const char *)ranges->items + at * ranges->size,
		       count * ranges->size);
		kept += count;
		at += count;
	}
	return kept;
}

enum outcome known_replay(struct dw_reader *reader, const struct known_code *code, struct extent **extents,
			  uint32_t *extent_count)
{
	struct reading *reading = reader->reading;
	const struct ranges lines = { code->lines, code->line_count, sizeof *code->lines };
	const struct ranges scopes = { code->extents, code->extent_count, sizeof *code->extents };
	const uint32_t first = reader->scope_count;
	reader->segment_count = 0;
	if (rs_array_reserve(&reader->segments, &reader->segment_room, 0, code->line_count, sizeof *reader->segments) <
		    0 ||
	    rs_array_reserve(&reader->scopes, &reader->scope_room, first, code->scope_count, sizeof *reader->scopes) <
		    0 ||
	    !(*extents = rs_alloc((size_t)code->extent_count + 1, sizeof **extents)))
		return reading_memory(reading);
	reader->segment_count = copy_wanted(reading, &lines, reader->segments);
	*extent_count = copy_wanted(reading, &scopes, *extents);
	if (code->scope_count > 0)
		memcpy(reader->scopes + first, code->scopes, code->scope_count * sizeof *code->scopes);
	reader->scope_count += code->scope_count;
	renumber(reader->scopes, first, reader->scope_count, first);
	for (uint32_t i = 0; i < *extent_count; i++)
		(*extents)[i].what += first;
	return UNIT_OK;
}

void known_clear(struct dw_keep *keep)
{
	dw_sections_clear(&keep->sections);
	for (uint32_t i = 0; i < keep->count; i++)
		known_free(&keep->units[i]);
	rs_free(keep->units);
}
