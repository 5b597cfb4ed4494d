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
	bool inlines;	/* answers have all their frames; else one */
	struct query_seen seen;
	uint64_t lookups; /* so far, and those that are expected next */

	size_t count, room;
	uint64_t *rvas, *weights; /* how often to count each address */
	/* of the last gather_look_up(): the frames, and where those of each address end */
	struct rossym_frame *frames;
	size_t frame_room;
	uint32_t *ends;
};

/* Each of these returns false on an error, after a message. */

/* About COUNT addresses come next. */
bool gather_expect(struct gather *gather, uint64_t count);

bool gather_add(struct gather *gather, uint64_t rva, uint64_t weight);

/* Look all of them up and store in *COUNT how many there were.  Their answers are in frames and ends and their weights
   in weights, until the next gather_add(). */
bool gather_look_up(struct gather *gather, size_t *count);

/* The first frame of address NUMBER: the innermost. */
static inline uint32_t gather_first(const struct gather *gather, size_t number)
{
	return number > 0 ? gather->ends[number - 1] : 0;
}

void gather_clear(struct gather *gather);

#endif
