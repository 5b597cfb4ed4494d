// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-keys.c - the hash table of a set: from a module's name, a path or a handle to a pointer
 *
 * Keys are never removed.  Keys of different kinds are different, even if their bytes are equal.
 */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <string.h>

struct rs_key {
	void *pointer;
	enum rs_key_kind kind;
	size_t length;
	unsigned char bytes[];
};

static uint32_t hash_key(enum rs_key_kind kind, const unsigned char *bytes, size_t length)
{
	return (uint32_t)hash_bytes(kind, bytes, length);
}

/* Returns the slot of the key; if it is new, the free slot for it. */
static struct hash_slot *find_key_slot(const struct rs_keys *keys, uint32_t hash, enum rs_key_kind kind,
				       const void *bytes, size_t length)
{
	for (uint32_t at = hash;;) {
		struct hash_slot *slot = hash_next(&keys->table, hash, &at);
		const struct rs_key *key = slot->number ? keys->items[slot->number - 1] : NULL;
		if (!key || (key->kind == kind && key->length == length && memcmp(key->bytes, bytes, length) == 0))
			return slot;
	}
}

void **rs_keys_find(const struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length)
{
	if (keys->count == 0)
		return NULL;
	const struct hash_slot *slot = find_key_slot(keys, hash_key(kind, bytes, length), kind, bytes, length);
	return slot->number ? &keys->items[slot->number - 1]->pointer : NULL;
}

void **rs_keys_get(struct rs_keys *keys, enum rs_key_kind kind, const void *bytes, size_t length)
{
	void **known = rs_keys_find(keys, kind, bytes, length);
	if (known || length > SIZE_MAX - sizeof(struct rs_key) || !hash_make_room(&keys->table, rs_alloc, rs_free) ||
	    rs_array_grow(&keys->items, &keys->room, keys->count, sizeof *keys->items) < 0)
		return known;
	struct rs_key *key = rs_alloc(1, sizeof *key + length);
	if (!key)
		return NULL;
	*key = (struct rs_key){ .kind = kind, .length = length };
	memcpy(key->bytes, bytes, length);
	const uint32_t hash = hash_key(kind, bytes, length);
	hash_put(&keys->table, find_key_slot(keys, hash, kind, bytes, length), keys->count + 1, hash);
	keys->items[keys->count++] = key;
	return &key->pointer;
}

void rs_keys_clear(struct rs_keys *keys)
{
	for (uint32_t i = 0; i < keys->count; i++)
		rs_free(keys->items[i]);
	rs_free(keys->items);
	rs_free(keys->table.slots);
	*keys = (struct rs_keys){ .items = NULL };
}
