/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow */
#ifndef TOOL_ARRAY_H
#define TOOL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for COUNT elements of SIZE bytes each in an array.  ITEMS is the address of the pointer to the elements.
   At first this pointer is NULL, and *ROOM, the number of elements that fit, is 0.  False: no memory, and nothing has
   changed. */
static inline bool array_reserve(void *items, size_t *room, size_t count, size_t size)
{
	enum { FIRST_ROOM = 16 };
	void *old;
	memcpy(&old, items, sizeof old);
	if (count <= *room && old)
		return true;
	size_t more = count <= FIRST_ROOM ? FIRST_ROOM : count < *room * 2 ? *room * 2 : count;
	void *grown = more < SIZE_MAX / size ? realloc(old, more * size) : NULL;
	if (!grown)
		return false;
	memcpy(items, &grown, sizeof grown);
	*room = more;
	return true;
}

/* As array_reserve() with the address of ITEMS and ROOM, but make room for one element after the first COUNT. */
#define ARRAY_GROW(items, room, count) array_reserve(&(items), &(room), (count) + 1, sizeof *(items))

/* As array_reserve(), but make room for element number INDEX.  Fills all new elements with zeros. */
static inline bool array_reserve_zeroed(void *items, size_t *room, size_t index, size_t size)
{
	const size_t before = *room;
	char *bytes;
	if (!array_reserve(items, room, index + 1, size))
		return false;
	memcpy(&bytes, items, sizeof bytes);
	memset(bytes + before * size, 0, (*room - before) * size);
	return true;
}

/* As array_reserve_zeroed() with the address of ITEMS and ROOM. */
#define ARRAY_REACH(items, room, index) array_reserve_zeroed(&(items), &(room), (index), sizeof *(items))

#endif
