/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stable-sort.h - merge sort: elements that compare as equal keep their order, which qsort() does not promise */
#ifndef RS_STABLE_SORT_H
#define RS_STABLE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort COUNT elements of SIZE bytes; COMPARE is as for qsort().  Returns 0; or -1 without memory, and then ITEMS is
   unchanged.  Elements that are sorted already take one pass and no memory. */
int rs_stable_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *));

#endif
