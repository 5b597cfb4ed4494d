/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known.h - what is known about the units of an image, if answers are wanted for a few addresses only
 *
 * One thing is the ranges of each unit, which tell if it can be passed over.  The other is the lines and scopes of the
 * units that were read, for when the reading begins again.  A process that makes several tables for one image keeps
 * both: so each unit is read at most once.  A unit with a fault is not known.  It is read again, with its warnings.
 */
#ifndef DEBUGINFO_DWARF_KNOWN_H
#define DEBUGINFO_DWARF_KNOWN_H

#include "debuginfo/dwarf/unit.h"

/* The code of a unit.  Numbers of scopes count from the unit's first one. */
struct known_code {
	struct line_segment *lines;
	uint32_t line_count;
	struct scope *scopes;
	uint32_t scope_count;
	struct extent *extents; /* of the scopes: ascending, without overlaps */
	uint32_t extent_count;
	bool has_functions;
};

struct known_unit {
	uint32_t begin, end; /* in .debug_info */
	bool has_lines, has_own;
	bool passed;	       /* over, so far: nothing of it is wanted */
	uint32_t lines;	       /* offset of its line table */
	uint32_t first, count; /* its own ranges */
	uint64_t code_size;
	struct known_code *code; /* NULL: it was not read */
};

struct dw_keep {
	struct dw_sections sections;
	bool has_units;		  /* there is .debug_info */
	struct known_unit *units; /* ascending by offset */
	uint32_t count, room;
	struct extent *ranges; /* the own ranges of all units */
	uint32_t range_count, range_room;
};

/* The unit with OFFSET of .debug_info in it; NULL: it is not known. */
struct known_unit *known_at(const struct dw_reader *reader, uint64_t offset);

/* The own ranges of UNIT; NULL if it has none. */
static inline struct extent *known_ranges(const struct dw_reader *reader, const struct known_unit *unit)
{
	return unit->count > 0 ? reader->keep->ranges + unit->first : NULL;
}

/* Let a unit that was read or passed over without a fault be known, with unit->kept. */
enum outcome known_add(struct dw_unit *unit);

/* Make unit->kept of the unit that is being read: of the reader's lines, of its scopes from number FIRST on, and of their
   COUNT EXTENTS.  known_free() frees it. */
enum outcome known_copy(struct dw_unit *unit, uint32_t first, const struct extent *extents, uint32_t count);
void known_free(struct known_code *code);

/* Make the lines of CODE around wanted code the reader's, and add its scopes.  *EXTENTS is a copy of its *COUNT extents
   around wanted code, which the caller frees. */
enum outcome known_replay(struct dw_reader *reader, const struct known_code *code, struct extent **extents,
			  uint32_t *count);

/* Free what KEEP has. */
void known_clear(struct dw_keep *keep);

#endif
