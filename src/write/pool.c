// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pool.h"
#include "lib/alloc.h"
#include "lib/error.h"

#include <string.h>

static int too_big(struct rossym_error *err)
{
	return rs_fail(err, ROSSYM_EREFUSED, 0, "the strings of the table have 4 GiB or more");
}

/* A block twice as big, with the old one's content. */
static void *grow(void *old, uint32_t used, uint32_t room, size_t size)
{
	void *new = rs_alloc(room, size);
	if (new && used > 0)
		memcpy(new, old, used * size);
	if (new)
		rs_free(old);
	return new;
}

static int grow_text(struct rs_pool *pool, uint32_t length, struct rossym_error *err)
{
	uint64_t need = (uint64_t)pool->text_size + length, room = pool->text_room ? pool->text_room : 4096;
	if (need > UINT32_MAX)
		return too_big(err);
	while (room < need)
		room *= 2;
	if (room > UINT32_MAX)
		room = UINT32_MAX;
	if (room == pool->text_room)
		return 0;
	char *text = grow(pool->text, pool->text_size, (uint32_t)room, 1);
	if (!text)
		return rs_fail_memory(err);
	pool->text = text;
	pool->text_room = (uint32_t)room;
	return 0;
}

/* Room for one string more; as many buckets as there is room for strings. */
static int grow_strings(struct rs_pool *pool, struct rossym_error *err)
{
	if (pool->count < pool->room)
		return 0;
	if (pool->room >= UINT32_C(1) << 30)
		return too_big(err);
	uint32_t room = pool->room ? pool->room * 2 : 256;
	uint32_t *buckets = rs_alloc(room, sizeof *buckets);
	struct rs_pool_string *strings = buckets ? grow(pool->strings, pool->count, room, sizeof *strings) : NULL;
	if (!strings) {
		rs_free(buckets);
		return rs_fail_memory(err);
	}
	rs_free(pool->buckets);
	pool->buckets = buckets;
	pool->bucket_mask = room - 1;
	pool->strings = strings;
	pool->room = room;
	for (uint32_t i = 1; i < pool->count; i++) {
		uint32_t *bucket = &buckets[strings[i].hash & pool->bucket_mask];
		if (strings[i].apart)
			continue;
		strings[i].next = *bucket;
		*bucket = i;
	}
	return 0;
}

int rs_pool_open(struct rs_pool *pool, struct rossym_error *err)
{
	*pool = (struct rs_pool){ .count = 0 };
	if (grow_strings(pool, err) < 0 || grow_text(pool, 1, err) < 0)
		return -1;
	pool->count = 1;	/* "", which is in no bucket */
	return 0;
}

void rs_pool_clear(struct rs_pool *pool)
{
	rs_free(pool->text);
	rs_free(pool->strings);
	rs_free(pool->buckets);
}

static uint32_t hash_text(const char *text, uint32_t length)
{
	uint32_t hash = 2166136261u;
	for (uint32_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static uint32_t find(const struct rs_pool *pool, const char *text, uint32_t length, uint32_t hash)
{
	uint32_t i = pool->buckets[hash & pool->bucket_mask];
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
	return length ? find(pool, text, length, hash_text(text, length)) : 0;
}

int rs_pool_add(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, int *added,
		struct rossym_error *err)
{
	if (added)
		*added = 0;
	if (length == 0) {
		*ret = 0;
		return 0;
	}
	uint32_t hash = hash_text(text, length);
	uint32_t number = find(pool, text, length, hash);
	if (number) {
		*ret = number;
		return 0;
	}
	if (grow_strings(pool, err) < 0 || grow_text(pool, length, err) < 0)
		return -1;
	memcpy(pool->text + pool->text_size, text, length);
	uint32_t *bucket = &pool->buckets[hash & pool->bucket_mask];
	pool->strings[pool->count] = (struct rs_pool_string){ .at = pool->text_size, .length = length, .hash = hash,
							      .next = *bucket, .stands_for = pool->count };
	*bucket = pool->count;
	pool->text_size += length;
	if (added)
		*added = 1;
	*ret = pool->count++;
	return 0;
}

int rs_pool_add_again(struct rs_pool *pool, const char *text, uint32_t length, uint32_t *ret, struct rossym_error *err)
{
	if (grow_strings(pool, err) < 0 || grow_text(pool, length, err) < 0)
		return -1;
	memcpy(pool->text + pool->text_size, text, length);
	pool->strings[pool->count] = (struct rs_pool_string){ .at = pool->text_size, .length = length,
							      .hash = hash_text(text, length), .stands_for = pool->count,
							      .apart = true };
	pool->text_size += length;
	*ret = pool->count++;
	return 0;
}

/* The byte AT places before the end of a string, or -1 before its beginning. */
static int byte_from_end(const struct rs_pool *pool, uint32_t number, uint32_t at)
{
	const struct rs_pool_string *string = &pool->strings[number];
	return at < string->length ? (uint8_t)pool->text[string->at + string->length - 1 - at] : -1;
}

static void swap(uint32_t *a, uint32_t *b)
{
	uint32_t c = *a;
	*a = *b;
	*b = c;
}

static int middle_of(int a, int b, int c)
{
	if (a > b) {
		int d = a;
		a = b;
		b = d;
	}
	return c < a ? a : c > b ? b : c;
}

/*
 * Sort COUNT numbers so that their strings, read backwards from the byte AT, descend: a string stands directly behind
 * one of those that end in it.  Quicksort by one byte at a time (Bentley and Sedgewick); the biggest part is done by
 * the loop, so the stack stays small.
 */
static void sort_backwards(const struct rs_pool *pool, uint32_t *list, uint32_t count, uint32_t at)
{
	while (count > 1) {
		int pivot = middle_of(byte_from_end(pool, list[0], at), byte_from_end(pool, list[count / 2], at),
				      byte_from_end(pool, list[count - 1], at));
		uint32_t greater = 0, less = count;	/* [0, greater) is greater, [less, count) less than the pivot */
		for (uint32_t i = 0; i < less;) {
			int byte = byte_from_end(pool, list[i], at);
			if (byte > pivot)
				swap(&list[greater++], &list[i++]);
			else if (byte < pivot)
				swap(&list[i], &list[--less]);
			else
				i++;
		}
		/* Those that end here are equal. */
		uint32_t equal = pivot < 0 ? 0 : less - greater, behind = count - less;
		if (greater >= equal && greater >= behind) {
			sort_backwards(pool, list + greater, equal, at + 1);
			sort_backwards(pool, list + less, behind, at);
			count = greater;
		} else if (equal >= behind) {
			sort_backwards(pool, list, greater, at);
			sort_backwards(pool, list + less, behind, at);
			list += greater;
			count = equal;
			at++;
		} else {
			sort_backwards(pool, list, greater, at);
			sort_backwards(pool, list + greater, equal, at + 1);
			list += less;
			count = behind;
		}
	}
}

static bool ends_in(const struct rs_pool *pool, const struct rs_pool_string *whole, const struct rs_pool_string *end)
{
	return end->length <= whole->length &&
	       memcmp(pool->text + whole->at + (whole->length - end->length), pool->text + end->at, end->length) == 0;
}

int rs_pool_lay_out(struct rs_pool *pool, uint32_t *ret_size, struct rossym_error *err)
{
	uint32_t *list = rs_alloc(pool->count, sizeof *list);
	if (!list)
		return rs_fail_memory(err);
	uint32_t count = 0;
	for (uint32_t i = 1; i < pool->count; i++)
		if (pool->strings[i].stands_for == i)
			list[count++] = i;
	sort_backwards(pool, list, count, 0);

	uint64_t size = 1;	/* "" */
	const struct rs_pool_string *last = NULL;
	for (uint32_t i = 0; i < count; i++) {
		struct rs_pool_string *string = &pool->strings[list[i]];
		bool apart = string->apart || (last && last->apart && last->length == string->length);
		if (last && !apart && ends_in(pool, last, string)) {
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
		return too_big(err);
	for (uint32_t i = 1; i < pool->count; i++)
		pool->strings[i].place = pool->strings[pool->strings[i].stands_for].place;
	*ret_size = (uint32_t)size;
	return 0;
}

void rs_pool_write(const struct rs_pool *pool, uint8_t *to)
{
	for (uint32_t i = 1; i < pool->count; i++) {
		const struct rs_pool_string *string = &pool->strings[i];
		if (string->stands_for == i)
			memcpy(to + string->place, pool->text + string->at, string->length);
	}
}
