/* SPDX-License-Identifier: GPL-2.0-or-later */
/* array.h - arrays that grow by one element at a time */
#ifndef TOOL_ARRAY_H
#define TOOL_ARRAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Make room for an element after COUNT elements of SIZE bytes; *ROOM is how many fit.  Returns ITEMS, or a larger copy
   of it (then ITEMS has been freed).  NULL: no memory, and nothing has changed.  ITEMS may be NULL if *ROOM is 0. */
static inline void *array_with_room(void *items, size_t *room, size_t count, size_t size)
{
	enum { FIRST_ROOM = 16 };
	if (count < *room)
		return items;
	size_t more = *room ? *room * 2 : FIRST_ROOM;
	void *grown = more < SIZE_MAX / size ? realloc(items, more * size) : NULL;
	if (grown)
		*room = more;
	return grown;
}

#endif
