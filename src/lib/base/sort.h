/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sort.h - two functions that sort; both take little time for elements that are sorted already, or nearly so
 *
 * COMPARE is as for qsort(): one of the functions here, or one of the caller's.  COUNT may be 0.
 */
#ifndef RS_SORT_H
#define RS_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sort COUNT elements of SIZE bytes.  rs_stable_sort() keeps the order of elements that compare as equal, and needs no
   memory, so it cannot fail.  rs_sort() does not keep that order.  Unless the elements are nearly sorted, it calls
   qsort(), which is faster than rs_stable_sort(), but can take as much memory as the elements. */
void rs_stable_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *));
void rs_sort(void *items, uint32_t count, size_t size, int (*compare)(const void *, const void *));

/* Compare two elements, as for qsort(), by their first one, two or three members, which have the type uint32_t. */
int rs_compare_one_number(const void *a, const void *b);
int rs_compare_two_numbers(const void *a, const void *b);
int rs_compare_three_numbers(const void *a, const void *b);

#endif
