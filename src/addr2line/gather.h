/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gather.h - collects any number of addresses, and looks them up together
 *
 * --count and --folded use it: --count counts the answers, --folded reverses the frames of a stack, and both need the
 * answers in memory.
 */
#ifndef ADDR2LINE_GATHER_H
#define ADDR2LINE_GATHER_H

#include "answer/query.h"
#include "tool/ascii.h"

struct gather {
	const struct query_rules *rules;
	unsigned flags; /* ROSSYM_LOOKUP_... */
	bool inlines;	/* look up all frames of each address, not only one */
	struct query_seen seen;
	uint64_t lookups; /* the sum of all COUNTs of gather_expect(): look-ups that are done or still to come */

	size_t count, room;	     /* of the next three arrays */
	uint64_t *rvas;		     /* the addresses */
	uint64_t *weights;	     /* how often to count each address */
	uint32_t *ends;		     /* after gather_look_up(): for each address, the index after its last frame */
	struct rossym_frame *frames; /* after gather_look_up(): the frames of all addresses */
	size_t frame_room;
};

/* The bool functions below return false after a message. */

/* Prepare the image for about COUNT more look-ups. */
bool gather_expect(struct gather *gather, uint64_t count);

/* Add an address that counts WEIGHT times. */
bool gather_add(struct gather *gather, uint64_t rva, uint64_t weight);

/* Look up all addresses, and store in *COUNT how many there are.  The results are valid until the next gather_add(),
   which begins a new list of addresses. */
bool gather_look_up(struct gather *gather, size_t *count);

/* Returns the index of the first frame of address NUMBER, the innermost one. */
static inline uint32_t gather_first_frame(const struct gather *gather, size_t number)
{
	return number > 0 ? gather->ends[number - 1] : 0;
}

void gather_clear(struct gather *gather);

/* Read a decimal count at *P, and move *P after its digits.  A count that is too great is UINT64_MAX. */
static inline uint64_t gather_count(char **p)
{
	uint64_t number = 0;
	for (; is_digit(**p); ++*p) {
		const unsigned digit = (unsigned)(**p - '0');
		number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
	}
	return number;
}

#endif
