/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bisect.h - binary search
 *
 *	size_t at;
 *	BISECT(at, count, items[at].key < key);
 *
 * stores in AT the index of the first item whose key is not below `key`.  In general: BELOW, the third argument, is an
 * expression that uses AT.  As AT grows, BELOW may change once, from true to false.  BISECT stores in AT the first
 * number below COUNT for which BELOW is false; COUNT if there is none.
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
