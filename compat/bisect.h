/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect.h - the binary search: where a condition on the elements of an array changes from true to false
 *
 *	size_t at;
 *	BISECT(at, count, items[at].key < key);
 *
 * BELOW is an expression with AT, a number below COUNT.  It is true up to some number and false from there on.  In the end
 * AT is the first number for which it is false, or COUNT.
 */
#ifndef COMPAT_BISECT_H
#define COMPAT_BISECT_H

#include <stddef.h>

#define BISECT(at, count, below) \
	for (size_t bisect_low = 0, bisect_high = (count); \
	     (at) = bisect_low + (bisect_high - bisect_low) / 2, bisect_low < bisect_high;) \
		if (below) \
			bisect_low = (at) + 1; \
		else \
			bisect_high = (at)

#endif
