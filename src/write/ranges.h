/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ranges.h - what is left of some ranges when others are taken away from them
 *
 * Sections of an image may overlap, in the file and in memory.  What goes away with a section is only what no section
 * that stays has too.
 */
#ifndef RS_RANGES_H
#define RS_RANGES_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

struct rs_range {
	uint64_t begin, end;
};

/* A list that grows by rs_ranges_add() up to the room that rs_ranges_open() made. */
struct rs_ranges {
	struct rs_range *list;
	uint32_t count;
};

int rs_ranges_open(struct rs_ranges *ranges, size_t room, struct rossym_error *err);
void rs_ranges_clear(struct rs_ranges *ranges);

/* Add [BEGIN, BEGIN + LENGTH); a LENGTH of 0 adds nothing. */
void rs_ranges_add(struct rs_ranges *ranges, uint64_t begin, uint64_t length);

/* What CUT has and KEEP has not: ascending, apart from each other by at least a byte.  Time is that of sorting. */
int rs_ranges_subtract(const struct rs_ranges *cut, const struct rs_ranges *keep, struct rs_ranges *ret,
		       struct rossym_error *err);

/* Whether AT is in RANGES, which must be as rs_ranges_subtract() makes them. */
bool rs_ranges_contain(const struct rs_ranges *ranges, uint64_t at);

#endif
