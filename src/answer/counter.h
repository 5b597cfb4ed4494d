/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * counter.h - how often each of many things occurred
 *
 * A thing is a key, which is the address of a string together with a line number; or it is a text, which is copied.
 * The memory of a counter depends only on how many different things there are.
 */
#ifndef ANSWER_COUNTER_H
#define ANSWER_COUNTER_H

#include "compat/hash.h"
#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string that stays in place, or NULL, and a line. */
struct counter_key {
	const char *string;
	uint32_t line;
};

struct counter_entry;

/* All zeros: empty. */
struct counter {
	struct counter_entry *entries;
	size_t used, room;
	struct hash_table table; /* of entry numbers plus 1 */
	struct strbuf texts;	 /* the texts, and in the end the names that were made */
};

void counter_clear(struct counter *counter);

/* Add WEIGHT, or 1, to the count of a key or a text; counts stop at the greatest number.  A counter must have either
   keys or texts.  Keys are numbered from 0 in the order in which they first came; *NUMBER, if NUMBER is not NULL, is that
   of this key.  False: no memory. */
bool counter_add(struct counter *counter, struct counter_key key, uint64_t weight, uint32_t *number);
bool counter_add_text(struct counter *counter, const char *text, size_t length);

struct counter_line {
	uint64_t count;
	uint32_t number; /* of the key; if several keys have this name, of one of them */
	uint32_t length;
	const char *name; /* not terminated */
	char end[16];	  /* what comes after the name; terminated */
};

/* The name of a key: `text` and then `end`.  If `made`, text is valid only until the next name is asked for. */
struct counter_name {
	const char *text;
	size_t length;
	bool made;
	char end[16];
};

enum counter_order { COUNTER_BY_COUNT, COUNTER_BY_NAME }; /* the greatest count first, then by name */

struct counter_lines {
	struct counter_line *items; /* the caller frees them; names in them are valid until counter_clear() */
	size_t count;
	uint64_t total; /* the sum of all counts */
};

/*
 * Store all counts in *RET.  NAME is called for each key and stores its name; keys of the same name become one line.
 * RANKS, if not NULL, has an element for each key and gets the number of its line.  Nothing can be added afterwards.
 * False: no memory.
 */
bool counter_lines(struct counter *counter, enum counter_order order,
		   bool (*name)(void *data, struct counter_key key, struct counter_name *ret), void *data,
		   struct counter_lines *ret, uint32_t *ranks);

#endif
