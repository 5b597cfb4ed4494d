/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter.h - a hash table that counts keys or texts
 *
 * A key is a pointer to a string and a line number; strings are not compared, only pointers.  A text is copied and
 * compared.  The memory of a counter depends only on how many different keys or texts there are.
 */
#ifndef ANSWER_COUNTER_H
#define ANSWER_COUNTER_H

#include "compat/hash.h"
#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* STRING must stay valid until counter_clear(); it may be NULL. */
struct counter_key {
	const char *string;
	uint32_t line;
};

struct counter_entry;

/* All zeros: empty. */
struct counter {
	struct counter_entry *entries;
	size_t used, room;
	struct hash_table table; /* its numbers are indexes of `entries`, plus 1 */
	struct strbuf texts;	 /* the texts; counter_lines() also copies names to it */
};

void counter_clear(struct counter *counter);

/* Add WEIGHT to the count of KEY, or of TEXT; a counter must have only keys or only texts.  Counts saturate at UINT64_MAX.  Keys are numbered from 0 in the order in which they are first
   added; *NUMBER, unless NUMBER is NULL, becomes the number of KEY.  False: no memory. */
bool counter_add(struct counter *counter, struct counter_key key, uint64_t weight, uint32_t *number);
bool counter_add_text(struct counter *counter, const char *text, size_t length, uint64_t weight);

/* A line of the result. */
struct counter_line {
	uint64_t count;
	uint32_t number; /* the number of the key, or of one of the keys with this name */
	uint32_t length; /* the length of NAME, which has no NUL */
	const char *name;
	char end[16]; /* the rest of the name, with a NUL: see struct counter_name */
};

/* The printed name of a key: TEXT, then END, such as ":120". */
struct counter_name {
	const char *text;
	size_t length;
	bool made; /* TEXT is valid only until the next name is made, so it must be copied */
	char end[16];
};

/* COUNTER_BY_COUNT: the greatest count first; lines with the same count by name. */
enum counter_order { COUNTER_BY_COUNT, COUNTER_BY_NAME };

struct counter_lines {
	struct counter_line *items; /* the caller frees the array; its names are valid until counter_clear() */
	size_t count;
	uint64_t total; /* the sum of all counts */
};

/*
 * Store the sorted lines of all counts in *RET.  NAME is called for each key, and stores its printed name; keys with
 * the same name become one line.  RANKS, unless it is NULL, has an element for each key, which becomes the index of
 * its line in the order of names.  Add nothing to COUNTER afterwards.  False: no memory.
 */
bool counter_lines(struct counter *counter, enum counter_order order,
		   bool (*name)(void *data, struct counter_key key, struct counter_name *ret), void *data,
		   struct counter_lines *ret, uint32_t *ranks);

#endif
