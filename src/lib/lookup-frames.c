// SPDX-License-Identifier: GPL-2.0-or-later
/* lookup-frames.c - the public function that looks addresses up with all frames */
#include "config.h"
#include "core/layout.h"
#include "lib/demand.h"
#include "lib/lookup-chains.h"

#include <limits.h>

/* Check at compile time that the two limits agree: an address has the frame of its row and those of its chain.  If they
   disagreed, this would divide by 0, which compilers refuse. */
enum { LIMITS_FIT = 1 / (ROSSYM_FRAMES_MAX == RS_CHAIN_MAX + 1) };

static inline bool is_known_answer(const struct rossym_frame *answer)
{
	return answer->function || answer->file || answer->line;
}

/* Store the frames of ANSWER in TO.  Returns 1; 0 if they do not fit; or -1. */
static int store_frames_of(struct rossym_image *image, const struct rossym_frame *answer, struct rs_frame_store *to,
			   struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	uint32_t end = to->used;
	if (!is_known_answer(answer)) {
		if (end == to->room)
			return 0;
		to->frames[end] = *answer;
		return rs_frame_store_end(to, end + 1);
	}
	if (rossym_frames_begin(image, answer, &frames, err) < 0)
		return -1;
	while (rossym_frames_next(&frames, &frame)) {
		if (end == to->room)
			return 0;
		to->frames[end++] = frame;
	}
	return rs_frame_store_end(to, end);
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH, in an image without chains: takes the frames of one answer after the
   other from the block.  Returns how many are done, fewer if the frames of the next one do not fit; or -1. */
static int look_up_without_chains(struct rossym_image *image, const uint64_t *rvas, int count, unsigned flags,
				  struct rs_frame_store *to, struct rossym_error *err)
{
	struct rossym_frame answers[RS_INDEX_BATCH];
	if (rossym_lookup_many(image, rvas, (size_t)count, flags, answers, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		const int taken = store_frames_of(image, &answers[i], to, err);
		if (taken <= 0)
			return taken < 0 ? -1 : i;
	}
	return count;
}

int rossym_lookup_frames(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			 struct rossym_frame *frames, uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	struct rs_frame_store to = { .frames = frames, .room = room, .ends = ends };
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_need(image, rvas, count, err) < 0)
		return -1;
	const struct rs_chains *chains = rs_image_needs_sections(image)
						 ? NULL
						 : atomic_load_explicit(&image->chains, memory_order_acquire);
	const int most = count < INT_MAX ? (int)count : INT_MAX;
	int done = 0, step, taken;
	do {
		step = most - done < RS_INDEX_BATCH ? most - done : RS_INDEX_BATCH;
		taken = chains ? rs_chains_lookup(image, chains, rvas + done, step, flags, &to)
			       : look_up_without_chains(image, rvas + done, step, flags, &to, err);
		if (taken < 0)
			return -1;
		done += taken;
	} while (taken == step && done < most);
	return done;
}
