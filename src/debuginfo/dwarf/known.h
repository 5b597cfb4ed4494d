/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known.h - a cache of what is known about units, for when answers are wanted for a few addresses only
 *
 * The cache has the ranges of each unit, which tell if the unit can be skipped; and the lines and scopes of the units
 * that were read, which are used when the reading begins again.  A process that makes several tables for one image
 * keeps the cache, so that each unit is read at most once.  A unit with a fault is not cached: it is read again, with
 * its warnings.
 */
#ifndef DEBUGINFO_DWARF_KNOWN_H
#define DEBUGINFO_DWARF_KNOWN_H

#include "debuginfo/dwarf/unit.h"

/* The code of a unit. */
struct known_code {
	struct line_segment *lines;
	uint32_t line_count;
	struct scope *scopes;
	uint32_t scope_count;
	struct extent *extents; /* code of the scopes, ascending and disjoint */
	uint32_t extent_count;
	bool has_functions;
};

struct dw_keep {
	struct dw_sections sections;
	struct known_unit *units; /* ascending by offset */
	uint32_t count, room;
	struct shift_found shift;
};

/* Returns the cached unit that contains OFFSET of .debug_info; NULL if there is none. */
struct known_unit *rs_known_at(const struct dw_reader *reader, uint64_t offset);

/* If only some code is wanted, move unit->known to the cache.  UNIT must have been read or skipped without a fault. */
enum outcome rs_known_add(struct dw_unit *unit);

/* Move the lines and extents of CODE to unit->known.code, and copy its scopes, which are the reader's, to there.  Empties CODE. */
enum outcome rs_known_keep(struct dw_unit *unit, struct known_code *code);
void rs_known_free(struct known_unit *unit);

/* Add the scopes of unit->known.code to the reader's. */
enum outcome rs_known_replay(struct dw_unit *unit);

/* Free what KEEP contains. */
void rs_known_clear(struct dw_keep *keep);

#endif
