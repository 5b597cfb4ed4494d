// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/array.h"
#include "lib/alloc.h"

#include <string.h>

int array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size)
{
	void *old;
	memcpy(&old, items, sizeof old);
	if (old && more <= *room - count)
		return 0;
	uint64_t larger = (uint64_t)count + count / 2;
	if (larger < count + more)
		larger = count + more;
	if (larger == 0)
		larger = 1;	/* so that NULL always means that there is no memory */
	void *copy = larger <= UINT32_MAX ? rs_alloc((size_t)larger, size) : NULL;
	if (!copy)
		return -1;
	if (count)
		memcpy(copy, old, count * size);
	rs_free(old);
	*room = (uint32_t)larger;
	memcpy(items, &copy, sizeof copy);
	return 0;
}

int array_grow(void *items, uint32_t *room, uint32_t count, size_t size)
{
	return count < *room ? 0 : array_reserve(items, room, count, (uint64_t)count + 16, size);
}

uint32_t array_first(const void *items, uint32_t count, size_t size, size_t member, uint64_t key)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2, value;
		memcpy(&value, (const char *)items + middle * size + member, sizeof value);
		if (value < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
