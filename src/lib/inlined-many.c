// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * inlined-many.c - the public function for the frames of many answers at once
 *
 * With chains it goes step by step, as look-ups do (index.h), so that many answers wait for memory together.  Its plain twin takes
 * the frames one by one; with that, a frame takes three times as long.
 */
#include "config.h"
#include "lib/demand.h"
#include "lib/prefetch.h"

static inline bool is_known(const struct rossym_frame *answer)
{
	return answer->function || answer->file || answer->line;
}

/* The plain twin. */
static int take_one_by_one(struct rossym_image *image, const struct rossym_frame *answers, int count, struct rossym_frame *ret,
			   uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	uint32_t used = 0;
	for (int i = 0; i < count; i++) {
		frame = answers[i];
		bool known = is_known(&frame);
		if (known && (rossym_frames_begin(image, &frame, &frames, err) < 0))
			return -1;
		while (!known || rossym_frames_next(&frames, &frame)) {
			if (used == room)
				return i;
			ret[used++] = frame;
			if (!known)
				break;
		}
		ends[i] = used;
	}
	return count;
}

/* Store the first frame of each of COUNT answers, at most RS_INDEX_BATCH; RS_BLOCK_NONE: only its entry. */
static void find_first(const struct rs_chains *chains, const struct rossym_frame *answers, size_t count, uint32_t *first)
{
	uint64_t rvas[RS_INDEX_BATCH];
	uint32_t ranks[RS_INDEX_BATCH], rows[RS_INDEX_BATCH];
	for (size_t i = 0; i < count; i++)
		rvas[i] = answers[i].row_rva;
	rs_index_find(chains->index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++) {
		if (!is_known(&answers[i]))
			first[i] = RS_BLOCK_NONE;
		else if (ranks[i] > 0 && rows[i] == rvas[i])
			first[i] = chains->frame_at[ranks[i]];
		else
			first[i] = rs_block_chain_at(chains->block, answers[i].row_rva);
		if (first[i] != RS_BLOCK_NONE)
			rs_prefetch(&chains->frames[first[i]]);
	}
}

static inline void store(struct rossym_frame *ret, const struct rossym_frame *frame, uint32_t row_rva)
{
	*ret = *frame;
	ret->row_rva = row_rva;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
}

/* Store the frames of ANSWER from RET[USED] on.  Returns how many are used then; or 0 if they did not fit. */
static inline uint32_t take(const struct rossym_image *image, const struct rs_chains *chains, const struct rossym_frame *answer,
			    uint32_t first, struct rossym_frame *ret, uint32_t used, uint32_t room)
{
	const struct rs_block *block = chains->block;
	const bool inner = block->parts.inner;		/* the frames are inside the entry, not around it */
	const uint32_t begin = used;
	uint32_t end = inner ? used : used + 1;
	for (; first != RS_BLOCK_NONE && end < room; first = chains->frames[first].row_rva)
		store(&ret[end++], &chains->frames[first], answer->row_rva);
	if (first != RS_BLOCK_NONE || end + inner > room)
		return 0;
	struct rossym_frame *entry = &ret[inner ? end++ : begin];
	*entry = *answer;
	if (block->parts.longs.count > 0)
		rs_frame_make_whole_of(image, block, entry);
	return end;
}

/* The same as take_one_by_one() with CHAINS, for at most RS_INDEX_BATCH answers. */
static int take_some(const struct rossym_image *image, const struct rs_chains *chains, const struct rossym_frame *answers, int count,
		     struct rossym_frame *ret, uint32_t used, uint32_t room, uint32_t *ends)
{
	uint32_t first[RS_INDEX_BATCH];
	find_first(chains, answers, (size_t)count, first);
	for (int i = 0; i < count; i++) {
		const uint32_t end = used < room ? take(image, chains, &answers[i], first[i], ret, used, room) : 0;
		if (end == 0)
			return i;
		ends[i] = used = end;
	}
	return count;
}

/* Returns the image that gave all ANSWERS; NULL if several did. */
static struct rossym_image *owner_of_all(struct rossym_image *image, const struct rossym_frame *answers, int count)
{
	struct rossym_image *owner = NULL;
	if (!image->demand)
		return image;
	for (int i = 0; i < count; i++) {
		struct rossym_image *one = is_known(&answers[i]) ? rs_demand_owner(image, &answers[i]) : owner;
		if (owner && one != owner)
			return NULL;
		owner = one;
	}
	return owner;
}

int rossym_frames_many(struct rossym_image *image, const struct rossym_frame *answers, int count, struct rossym_frame *frames,
		       uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	const struct rossym_image *owner = owner_of_all(image, answers, count);
	const struct rs_chains *chains = owner ? atomic_load_explicit(&owner->chains, memory_order_acquire) : NULL;
	int done = 0, step, taken;
	if (!chains)
		return take_one_by_one(image, answers, count, frames, room, ends, err);
	do {
		step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
		taken = take_some(owner, chains, answers + done, step, frames, done > 0 ? ends[done - 1] : 0, room, ends + done);
		done += taken;
	} while (taken == step && done < count);
	return done;
}
