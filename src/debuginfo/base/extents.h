/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * extents.h - makes overlapping ranges of addresses disjoint
 *
 * Inlined calls lie inside functions, and several units can describe one address.  Which function is innermost, and
 * which unit answers, are the same question: which of the ranges around an address has the lowest rank?  The rank is
 * the size of a function's range in the first case, and the order of the units in the second.
 */
#ifndef DEBUGINFO_BASE_EXTENTS_H
#define DEBUGINFO_BASE_EXTENTS_H

#include <stdint.h>

struct extent {
	uint32_t begin, end; /* end is the first address after the extent */
	uint32_t what;	     /* a number of the caller's that identifies the extent */
	uint64_t rank;
};

/*
 * Give each address to the extent of lowest rank around it.  Sorts the COUNT EXTENTS.  Stores in *RET a new array,
 * which the caller frees with rs_free(): ascending, disjoint, without empty extents; adjacent ones with equal WHAT are
 * joined.  It has at most twice COUNT extents.  Returns -1 without memory.
 */
int rs_extents_flatten(struct extent *extents, uint32_t count, struct extent **ret, uint32_t *ret_count);

#endif
