// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/set/set-keys.h"
#include "lib/base/alloc.h"

#include "compat/hash.h"

#include <string.h>

enum { FIRST_SIZE = 64 };

struct rs_key {
	struct rs_key *next; /* in its bucket */
	void *pointer;
	uint32_t hash;
	enum rs_key_kind kind;
	size_t length;
	unsigned char bytes[];
};

static uint32_t hash_of(enum rs_key_kind kind, const unsigned char *bytes, size_t length)
{
	return (uint32_t)hash_bytes(kind, bytes, length);
}

static void **find_place(const struct rs_keys *keys, uint32_t hash, enum rs_key_kind kind, const void *bytes,
			 size_t length)
{
	struct rs_key *key = keys->size ? keys->buckets[hash & (keys->size - 1)] : NULL;
	for (; key; key = key->next)
		if (key->hash == hash && key->kind == kind && key->length == length &&
		    memcmp(key->bytes, bytes, length) == 0)
			return &key->pointer;
	return NULL;
}

/* Double the number of buckets. */
static int grow(struct rs_keys *keys)
{
	size_t size = keys->size ? keys->size * 2 : FIRST_SIZE;
	struct rs_key **buckets = rs_alloc(size, sizeof *buckets), *key;
	if (!buckets)
		return -1;
	for (size_t i = 0; i < keys->size; i++)
		while ((key = keys->buckets[i]) != NULL) {
			keys->buckets[i] = key->next;
			key->next = buckets[key->hash & (size - 1)];
			buckets[key->hash & (size - 1)] = key;
		}
	rs_free(keys->buckets);
	keys->buckets = buckets;
	keys->size = size;
	return 0;
}

void **rs_keys_find(const struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length)
{
	return find_place(keys, hash_of(kind, bytes, length), kind, bytes, length);
}

void **rs_keys_get(struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length)
{
	uint32_t hash = hash_of(kind, bytes, length);
	void **known = find_place(keys, hash, kind, bytes, length);
	if (known || length > SIZE_MAX - sizeof(struct rs_key) || (keys->count == keys->size && grow(keys) < 0))
		return known;
	struct rs_key *key = rs_alloc(1, sizeof *key + length);
	if (!key)
		return NULL;
	*key = (struct rs_key){
		.next = keys->buckets[hash & (keys->size - 1)], .hash = hash, .kind = kind, .length = length
	};
	memcpy(key->bytes, bytes, length);
	keys->buckets[hash & (keys->size - 1)] = key;
	keys->count++;
	return &key->pointer;
}

void rs_keys_clear(struct rs_keys *keys)
{
	for (size_t i = 0; i < keys->size; i++)
		for (struct rs_key *key = keys->buckets[i], *next; key; key = next) {
			next = key->next;
			rs_free(key);
		}
	rs_free(keys->buckets);
	*keys = (struct rs_keys){ .buckets = NULL };
}
