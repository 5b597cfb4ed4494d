/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - the difference of two sets of ranges
 *
 * Sections of an image may overlap, in the file and in memory.  So removing a section removes only those of its bytes
 * that no remaining section has.
 */
#ifndef RS_RANGES_H
#define RS_RANGES_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

struct rs_range {
	uint64_t begin, end; /* `end` is not included */
};

/* A list with as much room as rs_ranges_open() has made. */
struct rs_ranges {
	struct rs_range *list;
	uint32_t count;
};

/* Make RANGES an empty list with room for ROOM.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_ranges_open(struct rs_ranges *ranges, size_t room, struct rossym_error *err);
void rs_ranges_clear(struct rs_ranges *ranges);

/* Add [BEGIN, BEGIN + LENGTH); a LENGTH of 0 adds nothing. */
void rs_ranges_add(struct rs_ranges *ranges, uint64_t begin, uint64_t length);

/* Store in *RET the ranges that are in CUT and not in KEEP: ascending, with at least one byte between two of them.  The
   caller must give *RET to rs_ranges_clear().  Takes n log n time.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_ranges_subtract(const struct rs_ranges *cut, const struct rs_ranges *keep, struct rs_ranges *ret,
		       struct rossym_error *err);

/* Whether AT is in RANGES, which must be from rs_ranges_subtract(). */
bool rs_ranges_contain(const struct rs_ranges *ranges, uint64_t at);

#endif
