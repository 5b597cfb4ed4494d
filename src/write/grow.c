// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/grow.h"
#include "lib/alloc.h"

#include <string.h>

void *rs_grow(void *items, uint32_t *room, uint32_t count, size_t size)
{
	if (count < *room)
		return items;
	uint32_t larger = *room ? *room * 2 : 256;
	void *copy = rs_alloc(larger, size);
	if (!copy)
		return NULL;
	if (count > 0)
		memcpy(copy, items, count * size);
	rs_free(items);
	*room = larger;
	return copy;
}
