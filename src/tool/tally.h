/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.h - how often each of many things occurred
 *
 * Things are strings of a table, by the place where they stand, perhaps with a line number; or texts.  A table of
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

struct tally_slot;

/* All zeros: empty. */
struct tally {
	struct tally_slot *slots;
	size_t slot_count, used;
	struct text texts;	/* of those that were added as texts, and in the end all names */
};

void tally_clear(struct tally *tally);

/* Count a thing WEIGHT times more, up to the greatest number.  A tally has keys or texts, not both.  False: no memory. */
bool tally_add(struct tally *tally, struct tally_key key, uint64_t weight);
bool tally_add_text(struct tally *tally, const char *text, size_t length, uint64_t weight);

struct tally_line {
	uint64_t count;
	const char *name;	/* not terminated */
	size_t length;
};

enum tally_order { TALLY_BY_COUNT, TALLY_BY_NAME };	/* the greatest count first, then by name */

/*
 * All that has been counted, in *LINES, which are the caller's to free; their names stay valid until tally_clear().
 * NAME adds the name of a key to the buffer; keys of the same name make one line.  Nothing can be added after that.
 * *TOTAL is the sum of the counts.  False: no memory.
 */
bool tally_lines(struct tally *tally, enum tally_order order,
		 bool (*name)(void *data, struct text *buffer, struct tally_key key), void *data,
		 struct tally_line **lines, size_t *count, uint64_t *total);

#endif
