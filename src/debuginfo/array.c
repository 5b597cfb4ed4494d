// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/array.h"
#include "lib/alloc.h"

#include <string.h>

void *array_grow(void *items, uint32_t *room, uint32_t count, size_t size)
{
	if (count < *room)
		return items;
	uint32_t larger = count < 16 ? 32 : count > UINT32_MAX / 2 ? UINT32_MAX : count * 2;
	void *copy = count < UINT32_MAX ? rs_alloc(larger, size) : NULL;
	if (!copy)
		return NULL;
	if (count)
		memcpy(copy, items, count * size);
	rs_free(items);
	*room = larger;
	return copy;
}
