// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pool.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/array.h"

#include "compat/hash.h"

#include <string.h>

static int too_big(struct rossym_error *err)
{
	return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
}

/* Make room for LENGTH more bytes of text. */
static int grow_text(struct rs_pool *pool, uint32_t length, struct rossym_error *err)
{
	if (length > UINT32_MAX - pool->text_size)
		return too_big(err);
	return rs_array_reserve(&pool->text, &pool->text_room, pool->text_size, length, 1) < 0 ? rs_fail_memory(err)
											       : 0;
}

/* Put all strings into as many buckets as there is room for strings. */
static int make_buckets(struct rs_pool *pool, struct rossym_error *err)
{
	uint32_t *buckets = rs_alloc(pool->room, sizeof *buckets);
	if (!buckets)
		return rs_fail_memory(err);
	rs_free(pool->buckets);
	pool->buckets = buckets;
	pool->bucket_count = pool->room;
	for (uint32_t i = 1; i < pool->count; i++) {
		struct rs_pool_string *string = &pool->strings[i];
		uint32_t *bucket = &buckets[string->hash & (pool->bucket_count - 1)];
		if (string->apart)
			continue;
		string->next = *bucket;
		*bucket = i;
	}
	return 0;
}

/* Make room for one more string. */
static int grow_strings(struct rs_pool *pool, struct rossym_error *err)
{
	if (pool->count >= UINT32_C(1) << 30)
		return too_big(err);
	if (rs_array_grow(&pool->strings, &pool->room, pool->count, sizeof *pool->strings) < 0)
		return rs_fail_memory(err);
	return pool->bucket_count == pool->room ? 0 : make_buckets(pool, err);
}

int rs_pool_open(struct rs_pool *pool, struct rossym_error *err)
{
	*pool = (struct rs_pool){ .count = 0 };
	if (grow_strings(pool, err) < 0 || grow_text(pool, 1, err) < 0)
		return -1;
	pool->strings[0] = (struct rs_pool_string){ .at = 0 };
	pool->seed = (uintptr_t)pool->strings;
	pool->count = 1; /* "", which is in no bucket */
	return 0;
}

void rs_pool_clear(struct rs_pool *pool)
{
	rs_free(pool->text);
	rs_free(pool->strings);
	rs_free(pool->buckets);
}

static uint32_t hash_text(const struct rs_pool *pool, const char *text, uint32_t length)
{
	return (uint32_t)hash_bytes(pool->seed, text, length);
}

/* Returns the number of the string, or 0 if it is not in the pool. */
static uint32_t find(const struct rs_pool *pool, const char *text, uint32_t length, uint32_t hash)
{
	uint32_t i = pool->buckets[hash & (pool->bucket_count - 1)];
	for (; i != 0; i = pool->strings[i].next) {
		const struct rs_pool_string *string = &pool->strings[i];
		if (string->hash == hash && string->length == length &&
		    memcmp(pool->text + string->at, text, length) == 0)
			break;
	}
	return i;
}

uint32_t rs_pool_find(const struct rs_pool *pool, const char *text, uint32_t length)
{
	return length ? find(pool, text, length, hash_text(pool, text, length)) : 0;
}

/* Append a string without looking for an equal one.  The caller puts it into a bucket. */
static int append(struct rs_pool *pool, const char *text, uint32_t length, uint32_t hash, uint32_t *ret,
		  struct rossym_error *err)
{
	if (grow_strings(pool, err) < 0 || grow_text(pool, length, err) < 0)
		return -1;
	memcpy(pool->text + pool->text_size, text, length);
	pool->strings[pool->count] = (struct rs_pool_string){
		.at = pool->text_size, .length = length, .hash = hash, .stands_for = pool->count
	};
	pool->text_size += length;
	*ret = pool->count++;
	return 0;
}

int rs_pool_add(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, int *added,
		struct rossym_error *err)
{
	uint32_t hash = hash_text(pool, text, length);
	uint32_t number = length ? find(pool, text, length, hash) : 0;
	if (added)
		*added = length && !number;
	*ret = number;
	if (length == 0 || number)
		return 0;
	if (append(pool, text, length, hash, ret, err) < 0)
		return -1;
	uint32_t *bucket = &pool->buckets[hash & (pool->bucket_count - 1)];
	pool->strings[*ret].next = *bucket;
	*bucket = *ret;
	return 0;
}

int rs_pool_add_text(struct rs_pool *pool, const char *text, uint32_t *ret, int *added, struct rossym_error *err)
{
	size_t length = text ? strlen(text) : 0;
	if (length >= UINT32_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a string of 4 GiB or more");
	return rs_pool_add(pool, text, (uint32_t)length, ret, added, err);
}

int rs_pool_add_again(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, struct rossym_error *err)
{
	if (append(pool, text, length, hash_text(pool, text, length), ret, err) < 0)
		return -1;
	pool->strings[*ret].apart = true;
	return 0;
}
