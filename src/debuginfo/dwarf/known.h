/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known.h - what is known about units from earlier calls, for the same image
 *
 * A process that makes several tables for one image keeps two things.  One is the ranges of each unit: so later calls
 * pass over units without wanted code and do not look at them.  The other is the lines and scopes of the units that had
 * wanted code: so each unit is read at most once.  A unit with a fault is not kept.  It is read again, with its warnings.
 */
#ifndef DEBUGINFO_DWARF_KNOWN_H
#define DEBUGINFO_DWARF_KNOWN_H

#include "debuginfo/dwarf/unit.h"

struct known_function {
	uint32_t begin, end;
	uint32_t scope;
};

/* The code of a unit.  Numbers of scopes count from the unit's first one. */
struct known_code {
	struct line_segment *lines;
	uint32_t line_count;
	struct scope *scopes;
	uint32_t scope_count;
	struct extent *extents; /* of the scopes: ascending, without overlaps */
	uint32_t extent_count;
	struct known_function *functions;
	uint32_t function_count;
	bool has_functions;
};

struct known_unit {
	uint32_t begin, end; /* in .debug_info */
	bool has_lines, has_own;
	uint32_t lines;	       /* offset of its line table */
	uint32_t first, count; /* its own ranges */
	uint64_t code_size;
	struct known_code *code; /* NULL: it was passed over */
};

struct dw_keep {
	struct dw_sections sections;
	bool has_units;		  /* there is .debug_info */
	struct known_unit *units; /* ascending by offset */
	uint32_t count, room;
	struct extent *ranges; /* the own ranges of all units */
	uint32_t range_count, range_room;
	struct known_function *functions; /* of the unit that is being read */
	uint32_t function_count, function_room;
};

/* The unit at OFFSET of .debug_info; NULL: it is not known. */
struct known_unit *known_at(const struct dw_reader *reader, uint32_t offset);

/* The own ranges of UNIT; NULL if it has none. */
static inline struct extent *known_ranges(const struct dw_reader *reader, const struct known_unit *unit)
{
	return unit->count > 0 ? reader->keep->ranges + unit->first : NULL;
}

/* Keep the ranges of a unit that was read without a fault, and its CODE, which may be NULL and belongs to this function.
   Without memory nothing is kept. */
void known_add(const struct dw_unit *unit, struct known_code *code);

/* Note a function of the unit that is being read: it has the scope of this number. */
void known_function(struct dw_reader *reader, uint32_t begin, uint32_t end, uint32_t scope);

/* Copy the code of the unit that is being read: the reader's lines, its scopes from number FIRST on, and their COUNT
   EXTENTS.  Returns NULL without memory, or if nothing is kept. */
struct known_code *known_copy(const struct dw_unit *unit, uint32_t first, const struct extent *extents, uint32_t count);
void known_free(struct known_code *code);

/* Make the lines of CODE around wanted code the reader's, add its scopes, and make its functions those of the reading.
   *EXTENTS is a copy of its *COUNT extents around wanted code, which the caller frees. */
enum outcome known_replay(struct dw_reader *reader, const struct known_code *code, struct extent **extents,
			  uint32_t *count);

/* Free what KEEP has. */
void known_clear(struct dw_keep *keep);

#endif
