// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pool.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <string.h>

void rs_pool_clear(struct rs_pool *pool)
{
	rs_free(pool->items);
	rs_free(pool->indexes);
	*pool = (struct rs_pool){ .strings = pool->strings };
}

/* Make room in pool->indexes for all strings that exist now.  Returns 0 or -1. */
static int grow_indexes(struct rs_pool *pool, struct rossym_error *err)
{
	const uint32_t count = pool->strings->count, old = pool->index_count;
	uint32_t room = old;
	if (rs_array_reserve(&pool->indexes, &room, old, (uint64_t)count - old, sizeof *pool->indexes) < 0)
		return rs_fail_memory(err);
	memset(pool->indexes + old, 0, (room - old) * sizeof *pool->indexes);
	pool->index_count = room;
	return 0;
}

int rs_pool_add_again(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err)
{
	const uint32_t index = pool->count ? pool->count : 1;
	if (rs_array_grow(&pool->items, &pool->room, index, sizeof *pool->items) < 0)
		return rs_fail_memory(err);
	pool->items[index] = (struct rs_pool_string){ .at = pool->strings->offsets[number],
						      .length = rs_string_length(pool->strings, number),
						      .written_as = index,
						      .unshared = true };
	pool->count = index + 1;
	*ret = index;
	return 0;
}

int rs_pool_add(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err)
{
	*ret = rs_pool_index(pool, number);
	if (number == 0 || *ret)
		return 0;
	if (number >= pool->index_count && grow_indexes(pool, err) < 0)
		return -1;
	if (rs_pool_add_again(pool, number, ret, err) < 0)
		return -1;
	pool->items[*ret].unshared = false;
	pool->indexes[number] = *ret;
	return 0;
}
