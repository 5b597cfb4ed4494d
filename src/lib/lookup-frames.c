// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lookup-frames.c - the public function that looks addresses up with all frames
 *
 * With chains it goes step by step, as other look-ups do (index.h), so that many addresses wait for memory together.
 * Its plain twin takes the frames of one answer after the other; with that, an address takes twice as long.
 */
#include "config.h"
#include "core/layout.h"
#include "lib/demand.h"
#include "lib/entry-answer.h"

#include <limits.h>

/* The row of an address is a frame, too: a compiler refuses the division if the limits do not fit. */
enum { LIMITS_FIT = 1 / (ROSSYM_FRAMES_MAX == RS_CHAIN_MAX + 1) };

/* Where the frames go, and where those of each address end, as the caller of rossym_lookup_frames() gives it. */
struct frame_store {
	struct rossym_frame *frames;
	uint32_t used, room;
	uint32_t *ends; /* of the next address */
};

static inline bool is_known(const struct rossym_frame *answer)
{
	return answer->function || answer->file || answer->line;
}

static bool add_end(struct frame_store *to, uint32_t end)
{
	*to->ends++ = to->used = end;
	return true;
}

/* Store the frames of ANSWER.  Returns 1; 0 if they do not fit; or -1. */
static int take_one(struct rossym_image *image, const struct rossym_frame *answer, struct frame_store *to,
		    struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	uint32_t end = to->used;
	if (!is_known(answer)) {
		if (end == to->room)
			return 0;
		to->frames[end] = *answer;
		return add_end(to, end + 1);
	}
	if (rossym_frames_begin(image, answer, &frames, err) < 0)
		return -1;
	while (rossym_frames_next(&frames, &frame)) {
		if (end == to->room)
			return 0;
		to->frames[end++] = frame;
	}
	return add_end(to, end);
}

/* The plain twin of take_some(). */
static int take_one_by_one(struct rossym_image *image, const uint64_t *rvas, int count, unsigned flags,
			   struct frame_store *to, struct rossym_error *err)
{
	struct rossym_frame answers[RS_INDEX_BATCH];
	if (rossym_lookup_many(image, rvas, (size_t)count, flags, answers, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		const int taken = take_one(image, &answers[i], to, err);
		if (taken <= 0)
			return taken < 0 ? -1 : i;
	}
	return count;
}

/* What an answer is made of. */
struct raw_answer {
	const struct rs_entry_answer *said;
	uint32_t first; /* the number of its first frame in the block, or chains->none */
};

/* Find the answers for COUNT addresses, at most RS_INDEX_BATCH, and store in ROWS where they begin. */
static void find_all(const struct rs_chains *chains, const uint64_t *rvas, size_t count, unsigned flags,
		     struct raw_answer *raws, uint32_t *rows)
{
	const struct rs_index *index = chains->index;
	uint32_t ranks[RS_INDEX_BATCH];
	rs_index_find(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++)
		rs_prefetch(&chains->frame_at[ranks[i]]);
	for (size_t i = 0; i < count; i++) {
		/* The entry at rank 0 says nothing. */
		const struct rs_entry_answer *said = &index->said[rvas[i] <= UINT32_MAX ? ranks[i] : 0];
		raws[i] = (struct raw_answer){ said, rs_entry_answer_is_answer(said, flags) ? chains->frame_at[ranks[i]]
											    : chains->none };
		rs_prefetch(&chains->frames[raws[i].first]);
	}
}

static inline void store(struct rossym_frame *ret, const struct rossym_frame *frame, uint32_t row_rva)
{
	*ret = *frame;
	ret->row_rva = row_rva;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
}

/* Store the frames of the answer RAW, which begins at ROW.  Returns false if they do not fit. */
static inline bool take(struct rossym_image *image, const struct rs_chains *chains, struct raw_answer raw, uint32_t row,
			unsigned flags, struct frame_store *to)
{
	const struct rs_block *block = chains->block;
	/* the row is the outermost frame; else it is the innermost one */
	const bool inner = block->parts.inner;
	struct rossym_frame *const ret = to->frames;
	const uint32_t begin = to->used, room = to->room;
	uint32_t end = inner ? begin : begin + 1, frame = raw.first;
	/* About half of the answers have a frame in the block, and nothing predicts which.  A branch here would often
	   be mispredicted.  So the frame that stands for none is stored like any other, and the frame that comes next
	   overwrites it. */
	if (end < room)
		store(&ret[end], &chains->frames[frame], row);
	end += frame != chains->none;
	while ((frame = chains->frames[frame].row_rva) != RS_BLOCK_NONE && end < room)
		store(&ret[end++], &chains->frames[frame], row);
	if (frame != RS_BLOCK_NONE || end + inner > room)
		return false;
	struct rossym_frame *entry = &ret[inner ? end++ : begin];
	rs_entry_answer_frame(image, chains->index, raw.said, row, flags, entry);
	if (block->parts.longs.count > 0)
		rs_frame_make_whole_of(image, block, entry);
	return add_end(to, end);
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH.  Returns as rossym_lookup_frames(). */
static int take_some(struct rossym_image *image, const struct rs_chains *chains, const uint64_t *rvas, int count,
		     unsigned flags, struct frame_store *to)
{
	struct raw_answer raws[RS_INDEX_BATCH];
	uint32_t rows[RS_INDEX_BATCH];
	find_all(chains, rvas, (size_t)count, flags, raws, rows);
	for (int i = 0; i < count; i++)
		if (to->used >= to->room || !take(image, chains, raws[i], rows[i], flags, to))
			return i;
	return count;
}

int rossym_lookup_frames(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			 struct rossym_frame *frames, uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	struct frame_store to = { .frames = frames, .room = room, .ends = ends };
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || !(image = rs_image_for(image, rvas, count, err)))
		return -1;
	const struct rs_chains *chains = rs_image_needs_sections(image)
						 ? NULL
						 : atomic_load_explicit(&image->chains, memory_order_acquire);
	const int most = count < INT_MAX ? (int)count : INT_MAX;
	int done = 0, step, taken;
	do {
		step = most - done < RS_INDEX_BATCH ? most - done : RS_INDEX_BATCH;
		taken = chains ? take_some(image, chains, rvas + done, step, flags, &to)
			       : take_one_by_one(image, rvas + done, step, flags, &to, err);
		if (taken < 0)
			return -1;
		done += taken;
	} while (taken == step && done < most);
	return done;
}
