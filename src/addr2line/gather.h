/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather.h - addresses that wait to be looked up together, however many they are
 *
 * --count and --folded need the answers in memory: --count to count them, --folded to turn a stack around.
 */
#ifndef ADDR2LINE_GATHER_H
#define ADDR2LINE_GATHER_H

#include "answer/query.h"

struct gather {
	const struct query_rules *rules;
	unsigned flags; /* of the look-ups */
	struct query_seen seen;
	uint64_t lookups; /* so far, and those that are expected next */

	size_t count, room;
	uint64_t *rvas, *weights;    /* how often to count each address */
	struct rossym_frame *frames; /* of the last gather_look_up() */
};

/* Each of these returns false on an error, after a message. */

/* About COUNT addresses come next. */
bool gather_expect(struct gather *gather, uint64_t count);

bool gather_add(struct gather *gather, uint64_t rva, uint64_t weight);

/* Look all of them up and store in *COUNT how many there were.  Their answers are in frames and their weights in
   weights, until the next gather_add(). */
bool gather_look_up(struct gather *gather, size_t *count);

void gather_clear(struct gather *gather);

#endif
