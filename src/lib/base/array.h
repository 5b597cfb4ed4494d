/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * array.h - arrays that grow, and bisection
 *
 * 	if (RS_ARRAY_ADD(items, room, count, err, item) < 0)
 * 		return -1;
 *
 * ITEMS is a pointer to the elements, which is NULL at first; the functions take its address.  COUNT elements are in
 * use; there is memory for ROOM elements.  The memory grows by at least half each time, so that appending takes
 * constant time on average.  Free the elements with rs_free().
 */
#ifndef RS_ARRAY_H
#define RS_ARRAY_H

#include "compat/hash.h"
#include "lib/base/error.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Make room for MORE elements of SIZE bytes after the first COUNT.  Returns 0: then *ITEMS is not NULL, even if MORE is
   0.  Returns -1 if there is no memory: then *ITEMS stays valid.  New elements are not zeroed. */
int rs_array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size);

/* Make room for one more element.  Returns what rs_array_reserve() does.  If only this function makes room in an array,
   *ROOM is a power of two. */
static inline int rs_array_grow(void *items, uint32_t *room, uint32_t count, size_t size)
{
	enum { FIRST_ROOM = 16 };
	return count < *room ? 0 : rs_array_reserve(items, room, count, count ? count : FIRST_ROOM, size);
}

/* Append the last argument to ITEMS as a new element.  The value is 0; or -1 with ROSSYM_ENOMEM in ERR. */
#define RS_ARRAY_ADD(items, room, count, err, ...) \
	(rs_array_grow(&(items), &(room), (count), sizeof *(items)) < 0 \
		 ? rs_fail_memory(err) \
		 : ((void)((items)[(count)++] = __VA_ARGS__), 0))

/* Find the element whose first KEY bytes equal those of ITEM; if there is none, append ITEM, which has SIZE bytes.
   TABLE is a hash table of the numbers of all elements, and of nothing else.  Stores the number of the element, counted
   from 1, in *RET.  Returns 0; or -1 if there is no memory. */
int rs_array_intern(void *items, uint32_t *room, uint32_t *count, struct hash_table *table, const void *item,
		    size_t key, size_t size, uint32_t *ret);

/* Returns the uint32_t at byte offset MEMBER in element I of ITEMS.  Each element has SIZE bytes. */
static inline uint32_t rs_array_read_key(const void *items, uint32_t i, size_t size, size_t member)
{
	uint32_t value;
	memcpy(&value, (const char *)items + i * size + member, sizeof value);
	return value;
}

/* Returns the index of the first element whose uint32_t at byte offset MEMBER is KEY or greater; COUNT if there is
   none.  The elements must ascend by this number.  Inline, so that SIZE and MEMBER are constants: a call would take a
   third more instructions. */
static inline uint32_t rs_array_first(const void *items, uint32_t count, size_t size, size_t member, uint64_t key)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (rs_array_read_key(items, middle, size, member) < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
