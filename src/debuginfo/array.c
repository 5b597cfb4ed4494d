// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/array.h"
#include "lib/alloc.h"

#include <string.h>

void *array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size)
{
	if (items && more <= *room - count)
		return items;
	uint64_t larger = (uint64_t)count + count / 2;
	if (larger < count + more)
		larger = count + more;
	if (larger == 0)
		larger = 1;	/* NULL means that there is no memory */
	void *copy = larger <= UINT32_MAX ? rs_alloc((size_t)larger, size) : NULL;
	if (!copy)
		return NULL;
	if (count)
		memcpy(copy, items, count * size);
	rs_free(items);
	*room = (uint32_t)larger;
	return copy;
}

void *array_grow(void *items, uint32_t *room, uint32_t count, size_t size)
{
	return count < *room ? items : array_reserve(items, room, count, (uint64_t)count + 16, size);
}
