/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - how often each of many things occurred
 *
 * Things are strings of a table, by the place where they stand, perhaps with a number; or texts.  A table of
 * either kind grows with the number of different things only.
 */
#ifndef TOOL_TALLY_H
#define TOOL_TALLY_H

#include "tool/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string that stays in place, or NULL, and a line. */
struct tally_key {
	const char *string;
	uint32_t line;
};

struct tally_entry;

/* All zeros: empty. */
struct tally {
	struct tally_entry *entries;
	size_t used, room;
	uint32_t *slots;	/* by hash: numbers of entries, plus 1 */
	size_t slot_count;
	struct text texts;	/* of those that were added as texts, and in the end names that were made */
};

void tally_clear(struct tally *tally);

/* Count a thing WEIGHT times more, up to the greatest number.  A tally has keys or texts, not both.  Keys have numbers, from 0
   on in the order in which they came: *NUMBER, if it is not NULL.  False: no memory. */
bool tally_add(struct tally *tally, struct tally_key key, uint64_t weight, uint32_t *number);
bool tally_add_text(struct tally *tally, const char *text, size_t length, uint64_t weight);

struct tally_line {
	uint64_t count;
	uint32_t number;	/* of the key, or of one of those of this name */
	uint32_t length;
	const char *name;	/* not terminated */
	char end[16];		/* what comes after the name; terminated */
};

/* What a key is called: TEXT, which stays in place or, if MADE, may be gone after the next one; and END. */
struct tally_name {
	const char *text;
	size_t length;
	bool made;
	char end[16];
};

enum tally_order { TALLY_BY_COUNT, TALLY_BY_NAME };	/* the greatest count first, then by name */

/*
 * All that has been counted, in *LINES, which are the caller's to free; their names stay valid until tally_clear().
 * NAME says what a key is called; keys of the same name make one line, and those that RANKS, if not NULL, has room for get the
 * number of their line in it.  Nothing can be added after that.
 * *TOTAL is the sum of the counts.  False: no memory.
 */
bool tally_lines(struct tally *tally, enum tally_order order,
		 bool (*name)(void *data, struct tally_key key, struct tally_name *ret), void *data,
		 struct tally_line **lines, size_t *count, uint64_t *total, uint32_t *ranks);

#endif
