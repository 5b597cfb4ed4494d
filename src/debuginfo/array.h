/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - arrays that grow, and bisection
 *
 * 	if (array_grow(&items, &room, count, sizeof *items) < 0)
 * 		return reading_memory(reading);
 * 	items[count++] = item;
 *
 * ITEMS points to a pointer to the elements, of which COUNT are in use and ROOM have memory; it may point to NULL.  The
 * array doubles, so that appending takes constant time on average.  Free the elements with rs_free().
 */
#ifndef DEBUGINFO_ARRAY_H
#define DEBUGINFO_ARRAY_H

#include <stddef.h>
#include <stdint.h>

/* Make room for one more element of SIZE bytes.  Returns 0, or -1 without memory, and *ITEMS stays valid. */
int array_grow(void *items, uint32_t *room, uint32_t count, size_t size);

/* The same for MORE elements, and *ITEMS is not NULL afterwards.  While an array grows, its elements are in memory
   twice: a caller that knows how many will come avoids this. */
int array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size);

/* The number of the first element that is not below KEY; COUNT if there is none.  Elements ascend by the uint32_t at
   offset MEMBER in them. */
uint32_t array_first(const void *items, uint32_t count, size_t size, size_t member, uint64_t key);

#endif
