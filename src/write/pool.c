// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pool.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <stdlib.h>
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

int rs_pool_add_unshared(struct rs_pool *pool, uint32_t number, uint32_t *ret, struct rossym_error *err)
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
	if (rs_pool_add_unshared(pool, number, ret, err) < 0)
		return -1;
	pool->items[*ret].unshared = false;
	pool->indexes[number] = *ret;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ places */

/* Strings share bytes: a string that is the end of another one takes no bytes of its own, but lies inside that one. */

/* A string that is sorted: END is where it ends, because the comparison begins there. */
struct ending {
	const char *end;
	uint32_t length, index;
};

/* For qsort(): compare strings from the last byte to the first, and put the greater one first.  Strings that end with S
   then stand directly before S. */
static int compare_from_end(const void *a, const void *b)
{
	const struct ending *left = a, *right = b;
	const uint32_t common = left->length < right->length ? left->length : right->length;
	const char *p = left->end, *q = right->end;
	for (uint32_t i = 0; i < common; i++)
		if (*--p != *--q)
			return (unsigned char)*q - (unsigned char)*p;
	if (left->length != right->length)
		return left->length > right->length ? -1 : 1;
	return (left->index > right->index) - (left->index < right->index);
}

/* Whether the string WHOLE ends with the string END. */
static bool ends_with(const struct rs_pool *pool, const struct rs_pool_string *whole, const struct rs_pool_string *end)
{
	return end->length <= whole->length && memcmp(pool->strings->bytes + whole->at + (whole->length - end->length),
						      pool->strings->bytes + end->at, end->length) == 0;
}

int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err)
{
	struct ending *list = rs_alloc((size_t)pool->count + 1, sizeof *list);
	if (!list)
		return rs_fail_memory(err);
	uint32_t count = 0;
	for (uint32_t i = 1; i < pool->count; i++) {
		const struct rs_pool_string *string = &pool->items[i];
		const char *end = pool->strings->bytes + string->at + string->length;
		if (string->written_as == i)
			list[count++] = (struct ending){ end, string->length, i };
	}
	qsort(list, count, sizeof *list, compare_from_end);

	uint64_t size = 1; /* the empty string at offset 0 */
	const struct rs_pool_string *last = NULL;
	for (uint32_t i = 0; i < count; i++) {
		struct rs_pool_string *string = &pool->items[list[i].index];
		bool unshared = string->unshared || (last && last->unshared && last->length == string->length);
		if (last && !unshared && ends_with(pool, last, string)) {
			string->place = last->place + (last->length - string->length);
		} else {
			string->place = (uint32_t)size;
			size += (uint64_t)string->length + 1;
			if (size > UINT32_MAX)
				break;
		}
		last = string;
	}
	rs_free(list);
	if (size > UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
	for (uint32_t i = 1; i < pool->count; i++)
		pool->items[i].place = pool->items[pool->items[i].written_as].place;
	*ret_size = (uint32_t)size;
	return 0;
}

void rs_pool_write(const struct rs_pool *pool, uint8_t *to)
{
	for (uint32_t i = 1; i < pool->count; i++) {
		const struct rs_pool_string *string = &pool->items[i];
		if (string->written_as == i)
			memcpy(to + string->place, pool->strings->bytes + string->at, string->length);
	}
}
