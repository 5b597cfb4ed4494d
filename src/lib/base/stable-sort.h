/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stable-sort.h - sorts an array, and keeps the order of elements that compare as equal, which qsort() need not do */
#ifndef RS_STABLE_SORT_H
#define RS_STABLE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort COUNT elements of SIZE bytes; COMPARE is as for qsort().  Returns 0; or -1 without memory, and then ITEMS is
   unchanged.  If the elements are in order already, this takes one pass and no memory. */
int rs_stable_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *));

#endif
