// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/counter.h"

#include "tool/array.h"

#include <stdlib.h>
#include <string.h>

void counter_clear(struct counter *counter)
{
	free(counter->entries);
	free(counter->table.slots);
	strbuf_clear(&counter->keys);
	*counter = (struct counter){ .entries = NULL };
}

/* Returns the hash of KEY.  The seed is an address, which differs between runs on most systems, so that no input can be
   made whose keys all have the same hash. */
static uint32_t hash_key(const void *key, size_t length)
{
	static const char seed;
	return (uint32_t)hash_bytes((uintptr_t)&seed, key, length);
}

static const char *get_entry_key(const struct counter *counter, const struct counter_entry *entry)
{
	return entry->original ? entry->original : counter->keys.bytes + entry->at;
}

/* Returns the slot of KEY, whose hash is HASH; or a free slot for KEY if it is not in the table. */
static inline struct hash_slot *find_entry_slot(const struct counter *counter, uint32_t hash, const void *key,
						size_t length)
{
	uint32_t at = hash;
	for (;;) {
		struct hash_slot *slot = hash_find_slot(&counter->table, hash, &at);
		if (!slot->number)
			return slot;
		const struct counter_entry *entry = &counter->entries[slot->number - 1];
		if (entry->length == length && memcmp(get_entry_key(counter, entry), key, length) == 0)
			return slot;
	}
}

void add_saturating(uint64_t *count, uint64_t weight)
{
	*count = weight > UINT64_MAX - *count ? UINT64_MAX : *count + weight;
}

/* Add KEY, which must not be in the table, with the count 0.  If ORIGINAL is NULL, copies KEY; else refers to ORIGINAL.
   Returns the slot of KEY; NULL: no memory. */
static struct hash_slot *add_entry(struct counter *counter, uint32_t hash, const void *key, size_t length,
				   const char *original)
{
	if (!ARRAY_GROW(counter->entries, counter->room, counter->used))
		return NULL;
	counter->entries[counter->used] = (struct counter_entry){ original, counter->keys.length, length, 0 };
	if (counter->used >= UINT32_MAX || !hash_make_room(&counter->table, calloc, free) ||
	    (!original && !strbuf_add_bytes(&counter->keys, key, length)))
		return NULL;
	struct hash_slot *slot = find_entry_slot(counter, hash, key, length);
	hash_put_number(&counter->table, slot, (uint32_t)++counter->used, hash);
	return slot;
}

bool counter_add_name(struct counter *counter, const void *key, size_t length, const char *original, uint64_t weight,
		      uint32_t *number)
{
	const uint32_t hash = hash_key(key, length);
	struct hash_slot *slot = counter->table.used > 0 ? find_entry_slot(counter, hash, key, length) : NULL;
	if (!slot || !slot->number)
		slot = add_entry(counter, hash, key, length,
				 original && strncmp(original, key, length) == 0 ? original : NULL);
	if (!slot)
		return false;
	add_saturating(&counter->entries[slot->number - 1].count, weight);
	if (number)
		*number = slot->number - 1;
	return true;
}

const struct counter_entry *counter_find(const struct counter *counter, const void *key, size_t length)
{
	const struct hash_slot *slot = counter->table.used > 0
					       ? find_entry_slot(counter, hash_key(key, length), key, length)
					       : NULL;
	return slot && slot->number ? &counter->entries[slot->number - 1] : NULL;
}

struct counter_line counter_get_line(const struct counter *counter, size_t number)
{
	const struct counter_entry *entry = &counter->entries[number];
	return (struct counter_line){ get_entry_key(counter, entry), entry->length, entry->count, (uint32_t)number };
}

static int compare_keys(const void *a, const void *b)
{
	const struct counter_line *x = a, *y = b;
	const int order = memcmp(x->key, y->key, x->length < y->length ? x->length : y->length);
	return order ? order : (x->length > y->length) - (x->length < y->length);
}

static int compare_counts(const void *a, const void *b)
{
	const struct counter_line *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return compare_keys(a, b);
}

struct counter_line *counter_get_sorted_lines(const struct counter *counter, enum counter_order order)
{
	struct counter_line *lines = malloc((counter->used + 1) * sizeof *lines);
	if (!lines)
		return NULL;
	for (size_t i = 0; i < counter->used; i++)
		lines[i] = counter_get_line(counter, i);
	qsort(lines, counter->used, sizeof *lines, order == COUNTER_BY_COUNT ? compare_counts : compare_keys);
	return lines;
}
