/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow */
#ifndef TOOL_ARRAY_H
#define TOOL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Make room for COUNT elements of SIZE bytes each in an array.  ITEMS is the address of a pointer to the elements, which is
   NULL at first; *ROOM is how many fit.  False: no memory, and nothing has changed. */
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

/* Make room for COUNT elements, of SIZE bytes each, in the array ITEMS; *ROOM is how many fit.  Returns ITEMS if it has
   that room; else frees ITEMS, and returns a larger copy.  NULL: no memory, and nothing has changed.  ITEMS may be NULL
   if *ROOM is 0. */
static inline void *array_for(void *items, size_t *room, size_t count, size_t size)
{
	return array_reserve(&items, room, count, size) ? items : NULL;
}

/* As array_for(), but make room for one element after the first COUNT. */
static inline void *array_with_room(void *items, size_t *room, size_t count, size_t size)
{
	return array_for(items, room, count + 1, size);
}

/* As array_for(), but make room for the element with the index INDEX.  All bytes of new elements are 0. */
static inline void *array_with_index(void *items, size_t *room, size_t index, size_t size)
{
	const size_t before = items ? *room : 0;
	char *grown = array_for(items, room, index + 1, size);
	if (grown && *room > before)
		memset(grown + before * size, 0, (*room - before) * size);
	return grown;
}

#endif
