// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * known.c - a cache of what is known about units, for when answers are wanted for a few addresses only
 *
 * The cache has the ranges of each unit, which tell if the unit can be skipped; and the lines and scopes of the units
 * that were read, which are used when the reading begins again.  A process that makes several tables for one image
 * keeps the cache, so that each unit is read at most once.  A unit with a fault is not cached: it is read again, with
 * its warnings.
 */
#include "config.h"
#include "debuginfo/dwarf/unit.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <string.h>

struct known_unit *rs_known_at(const struct dw_reader *reader, uint64_t offset)
{
	const struct dw_keep *keep = reader->keep;
	uint32_t i = rs_array_first(keep->units, keep->count, sizeof *keep->units, offsetof(struct known_unit, end),
				    offset + 1);
	return i < keep->count && keep->units[i].begin <= offset ? &keep->units[i] : NULL;
}

enum outcome rs_known_add(struct dw_unit *unit)
{
	struct dw_keep *keep = unit->reader->keep;
	struct known_unit *known = rs_known_at(unit->reader, unit->header.start);
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

/* Returns ITEMS, an array of COUNT items of SIZE bytes, after freeing the memory after the last item. */
static void *shrink_to_count(void *items, uint32_t count, size_t size)
{
	void *smaller = rs_resize(items, (size_t)count + 1, size);
	return smaller ? smaller : items;
}

enum outcome rs_known_keep(struct dw_unit *unit, struct known_code *code)
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

void rs_known_free(struct known_unit *unit)
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

enum outcome rs_known_replay(struct dw_unit *unit)
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

void rs_known_clear(struct dw_keep *keep)
{
	rs_dw_sections_clear(&keep->sections);
	for (uint32_t i = 0; i < keep->count; i++)
		rs_known_free(&keep->units[i]);
	rs_free(keep->units);
}
