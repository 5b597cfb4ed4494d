/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter.h - a hash table that counts how often things occur, or keeps a number for each of them
 *
 * A key is a string of any bytes.  The counter copies a key, unless the caller guarantees that its memory stays valid.
 * To count strings of a .rossym table quickly, use their addresses as keys; afterwards add the counts up in a second
 * counter, whose keys are the strings.  The memory of a counter depends only on how many different keys there are.
 */
#ifndef TOOL_COUNTER_H
#define TOOL_COUNTER_H

#include "compat/hash.h"
#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A key, and its count. */
struct counter_entry {
	const char *original; /* the key, of LENGTH bytes; NULL: it is in `keys`, from AT on */
	size_t at, length;
	uint64_t count;
};

/* All zeros is an empty counter. */
struct counter {
	struct counter_entry *entries;
	size_t used, room;
	struct hash_table table; /* has for each key 1 + the index of its entry */
	struct strbuf keys;	 /* the keys that were copied, one after the other */
};

void counter_clear(struct counter *counter);

/* Add WEIGHT to the count of KEY, of LENGTH bytes.  Counts saturate at UINT64_MAX.  Keys are numbered from 0 in the
   order in which they are first added; *NUMBER, unless NUMBER is NULL, becomes the number of KEY.  ORIGINAL is NULL, or
   a string that stays valid as long as COUNTER; if it begins with KEY, KEY is not copied.  False: no memory. */
bool counter_add_name(struct counter *counter, const void *key, size_t length, const char *original, uint64_t weight,
		      uint32_t *number);

static inline bool counter_add(struct counter *counter, const void *key, size_t length, uint64_t weight,
			       uint32_t *number)
{
	return counter_add_name(counter, key, length, NULL, weight, number);
}

/* Returns the entry of KEY, of LENGTH bytes, which is valid until the next key is added; NULL: KEY was never added. */
const struct counter_entry *counter_find(const struct counter *counter, const void *key, size_t length);

/* Add WEIGHT to *COUNT, which saturates at UINT64_MAX. */
void add_saturating(uint64_t *count, uint64_t weight);

struct counter_line {
	const char *key; /* LENGTH bytes, valid until the next counter_add() */
	size_t length;
	uint64_t count;
	uint32_t number; /* the key's number, in the order in which keys were added */
};

/* Returns key number NUMBER with its count. */
struct counter_line counter_get_line(const struct counter *counter, size_t number);

/* COUNTER_BY_COUNT: the greatest count first; keys with the same count by their bytes. */
enum counter_order { COUNTER_BY_COUNT, COUNTER_BY_KEY };

/* Returns all keys in ORDER, in an array that the caller frees; NULL: no memory. */
struct counter_line *counter_get_sorted_lines(const struct counter *counter, enum counter_order order);

#endif
