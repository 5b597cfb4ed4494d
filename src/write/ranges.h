/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - what is left of some ranges when others are taken away from them
 *
 * Sections of an image may overlap, in the file and in memory.  Bytes that a section leaves are gone only if no section
 * that stays has them too.
 */
#ifndef RS_RANGES_H
#define RS_RANGES_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

struct rs_range {
	uint64_t begin, end; /* end is the first one after it */
};

/* A list that grows by rs_ranges_add() up to the room that rs_ranges_open() made. */
struct rs_ranges {
	struct rs_range *list;
	uint32_t count;
};

/* Make RANGES an empty list with room for ROOM.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_ranges_open(struct rs_ranges *ranges, size_t room, struct rossym_error *err);
void rs_ranges_clear(struct rs_ranges *ranges);

/* Add [BEGIN, BEGIN + LENGTH); a LENGTH of 0 adds nothing. */
void rs_ranges_add(struct rs_ranges *ranges, uint64_t begin, uint64_t length);

/* Store in *RET what CUT has and KEEP has not: ascending, with at least one byte between two ranges.  The caller gives
   it to rs_ranges_clear().  Takes the time of sorting.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_ranges_subtract(const struct rs_ranges *cut, const struct rs_ranges *keep, struct rs_ranges *ret,
		       struct rossym_error *err);

/* Whether AT is in RANGES, which rs_ranges_subtract() has made. */
bool rs_ranges_contain(const struct rs_ranges *ranges, uint64_t at);

#endif
