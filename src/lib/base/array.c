// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include <string.h>

int rs_array_reserve(void *items, uint32_t *room, uint32_t count, uint64_t more, size_t size)
{
	void *old;
	memcpy(&old, items, sizeof old);
	if (old && more <= *room - count)
		return 0;
	uint64_t needed = count + more, larger = (uint64_t)count + count / 2;
	if (larger < needed)
		larger = needed;
	else if (larger > UINT32_MAX)
		larger = UINT32_MAX;
	if (larger == 0)
		larger = 1; /* so that NULL always means that there is no memory */
	void *grown = larger <= UINT32_MAX ? rs_resize(old, (size_t)larger, size) : NULL;
	if (!grown)
		return -1;
	*room = (uint32_t)larger;
	memcpy(items, &grown, sizeof grown);
	return 0;
}

int rs_array_intern(void *items, uint32_t *room, uint32_t *count, struct hash_table *table, const void *item,
		    size_t key, size_t size, uint32_t *ret)
{
	const uint32_t hash = (uint32_t)hash_bytes(table->seed, item, key);
	uint32_t at = hash;
	struct hash_slot *slot;
	char *all;
	if (!hash_make_room(table, rs_alloc, rs_free) || rs_array_grow(items, room, *count, size) < 0)
		return -1;
	memcpy(&all, items, sizeof all);
	do
		slot = hash_find_slot(table, hash, &at);
	while (slot->number && memcmp(all + (slot->number - 1) * size, item, key) != 0);
	if (!slot->number) {
		memcpy(all + *count * size, item, size);
		hash_put_number(table, slot, ++*count, hash);
	}
	*ret = slot->number;
	return 0;
}
