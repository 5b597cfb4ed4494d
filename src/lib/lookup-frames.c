// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * lookup-frames.c - the public function that looks addresses up with all frames
 *
 * With chains it goes step by step, as other look-ups do (index.h), so that many addresses wait for memory together.  Its plain
 * twin takes one address after the other; with that, a million addresses with -f and -i take 3 times as long.
 */
#include "config.h"
#include "lib/demand.h"
#include "lib/said.h"

/* The plain twin. */
static int take_one_by_one(struct rossym_image *image, const uint64_t *rvas, int count, unsigned flags, struct rossym_frame *ret,
			   uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	uint32_t used = 0;
	for (int i = 0; i < count; i++) {
		int found = rossym_lookup(image, rvas[i], flags, &frame, err);
		if (found < 0 || (found > 0 && rossym_frames_begin(image, &frame, &frames, err) < 0))
			return -1;
		if (found == 0)
			frame = (struct rossym_frame){ .function = NULL };
		while (found == 0 || rossym_frames_next(&frames, &frame)) {
			if (used == room)
				return i;
			ret[used++] = frame;
			if (found == 0)
				break;
		}
		ends[i] = used;
	}
	return count;
}

/* What an answer is made of. */
struct raw_answer {
	const struct rs_said *said;
	uint32_t first;		/* its first frame in the block, or that which is none */
};

/* Find the answers for COUNT addresses, at most RS_INDEX_BATCH, and store in ROWS where they begin. */
static void find_all(const struct rs_chains *chains, const uint64_t *rvas, size_t count, unsigned flags, struct raw_answer *raws,
		     uint32_t *rows)
{
	const struct rs_index *index = chains->index;
	uint32_t ranks[RS_INDEX_BATCH];
	rs_index_find(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++)
		rs_prefetch(&chains->frame_at[ranks[i]]);
	for (size_t i = 0; i < count; i++) {
		const struct rs_said *said = &index->said[ranks[i]];
		const bool known = (said->function | said->file | said->line) && (!said->data || (flags & ROSSYM_LOOKUP_DATA));
		raws[i] = (struct raw_answer){ said, known ? chains->frame_at[ranks[i]] : chains->none };
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

/* Store the frames of the answer RAW, which begins at ROW, in RET[USED] and after it.  Returns how many of RET are used then;
   or 0 if they did not fit. */
static inline uint32_t take(struct rossym_image *image, const struct rs_chains *chains, struct raw_answer raw, uint32_t row,
			    unsigned flags, struct rossym_frame *ret, uint32_t used, uint32_t room)
{
	const struct rs_block *block = chains->block;
	const bool inner = block->parts.inner;		/* the frames are inside the entry, not around it */
	const uint32_t begin = used;
	uint32_t end = inner ? used : used + 1, frame = raw.first;
	/* About every second answer has a frame, in no order, so a branch would often be mispredicted here: the frame that is
	   none is stored, too, and the next one takes its place. */
	if (end < room)
		store(&ret[end], &chains->frames[frame], row);
	end += frame != chains->none;
	while ((frame = chains->frames[frame].row_rva) != RS_BLOCK_NONE && end < room)
		store(&ret[end++], &chains->frames[frame], row);
	if (frame != RS_BLOCK_NONE || end + inner > room)
		return 0;
	struct rossym_frame *entry = &ret[inner ? end++ : begin];
	rs_said_frame(image, chains->index, raw.said, row, flags, entry);
	if (block->parts.longs.count > 0)
		rs_frame_make_whole_of(image, block, entry);
	return end;
}

/* The same as take_one_by_one() with CHAINS, for at most RS_INDEX_BATCH addresses; USED of FRAMES are used before. */
static int take_some(struct rossym_image *image, const struct rs_chains *chains, const uint64_t *rvas, int count, unsigned flags,
		     struct rossym_frame *frames, uint32_t used, uint32_t room, uint32_t *ends)
{
	struct raw_answer raws[RS_INDEX_BATCH];
	uint32_t rows[RS_INDEX_BATCH];
	find_all(chains, rvas, (size_t)count, flags, raws, rows);
	for (int i = 0; i < count; i++) {
		const uint32_t end = used < room ? take(image, chains, raws[i], rows[i], flags, frames, used, room) : 0;
		if (end == 0)
			return i;
		ends[i] = used = end;
	}
	return count;
}

/* Returns the chains that have all that look-ups of RVAS need; NULL if there are none, or if sections must be asked, too. */
static const struct rs_chains *chains_for(struct rossym_image *image, const uint64_t *rvas, int count)
{
	uint64_t all = 0;
	for (int i = 0; i < count; i++)
		all |= rvas[i];
	return all <= UINT32_MAX && (rs_image_is_bare(image) || image->core.pe.ordered)
		? atomic_load_explicit(&image->chains, memory_order_acquire) : NULL;
}

int rossym_lookup_frames(struct rossym_image *image, const uint64_t *rvas, int count, unsigned flags, struct rossym_frame *frames,
			 uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || !(image = rs_image_for(image, rvas, (size_t)count, err)))
		return -1;
	const struct rs_chains *chains = chains_for(image, rvas, count);
	int done = 0, step, taken;
	if (!chains)
		return take_one_by_one(image, rvas, count, flags, frames, room, ends, err);
	do {
		step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
		taken = take_some(image, chains, rvas + done, step, flags, frames, done > 0 ? ends[done - 1] : 0, room, ends + done);
		done += taken;
	} while (taken == step && done < count);
	return done;
}
