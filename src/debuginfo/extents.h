/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extents.h - which of several overlapping ranges of addresses holds where
 *
 * The innermost function is the one with the smallest range around an address; the unit that answers is the first that
 * covers it.  Both are the same question: of the ranges around an address, which has the lowest rank?
 */
#ifndef DEBUGINFO_EXTENTS_H
#define DEBUGINFO_EXTENTS_H

#include <stdint.h>

struct extent {
	uint32_t begin, end;	/* end is the first address behind it */
	uint32_t what;		/* for the caller */
	uint64_t rank;
};

/*
 * Divide the addresses among COUNT EXTENTS, which are sorted for that, so that each address belongs to the one of
 * lowest rank around it.  *RET becomes a new array, for rs_free(): ascending, disjoint, not empty, and neighbours
 * with the same WHAT joined.  At most twice as many as went in.  -1 without memory.
 */
int extents_flatten(struct extent *extents, uint32_t count, struct extent **ret, uint32_t *ret_count);

#endif
