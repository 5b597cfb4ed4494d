// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/lookup-chains.h"
#include "lib/entry-answer.h"

/* What store_frames() makes the frames of an address from: the answer of its rows, and a chain. */
struct raw_answer {
	const struct rs_entry_answer *entry;
	uint32_t first; /* the number of the chain's first frame in the block, or chains->none */
};

/* Find the answers for COUNT addresses, at most RS_INDEX_BATCH: store them in RAWS, and the addresses at which they
   begin in ROWS. */
static void find_raw_answers(const struct rs_chains *chains, const uint64_t *rvas, size_t count, unsigned flags,
			     struct raw_answer *raws, uint32_t *rows)
{
	const struct rs_index *index = chains->index;
	uint32_t ranks[RS_INDEX_BATCH];
	rs_index_find(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++)
		rs_prefetch(&chains->frame_at[ranks[i]]);
	for (size_t i = 0; i < count; i++) {
		/* The entry of rank 0 says "unknown". */
		const struct rs_entry_answer *entry = &index->entries[rvas[i] <= UINT32_MAX ? ranks[i] : 0];
		raws[i] = (struct raw_answer){ entry, rs_entry_answer_is_answer(entry, flags)
							      ? chains->frame_at[ranks[i]]
							      : chains->none };
		rs_prefetch(&chains->frames[raws[i].first]);
	}
}

static inline void store_frame(struct rossym_frame *ret, const struct rossym_frame *frame, uint32_t row_rva)
{
	*ret = *frame;
	ret->row_rva = row_rva;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
}

/* Store the frames of the answer RAW, which begins at the address ROW.  Returns false if they do not fit. */
static inline bool store_frames(struct rossym_image *image, const struct rs_chains *chains, struct raw_answer raw,
				uint32_t row, unsigned flags, struct rs_frame_store *to)
{
	const struct rs_block *block = chains->block;
	const bool inner = block->parts.inner; /* the row is the outermost frame; else it is the innermost one */
	struct rossym_frame *const ret = to->frames;
	const uint32_t begin = to->used, room = to->room;
	uint32_t end = inner ? begin : begin + 1, frame = raw.first;
	/* About half of the answers have a frame in the block, so processors would often mispredict a branch here.  So
	   frames[none] is stored like any other frame, and the frame that is stored next overwrites it. */
	if (end < room)
		store_frame(&ret[end], &chains->frames[frame], row);
	end += frame != chains->none;
	while ((frame = chains->frames[frame].row_rva) != RS_BLOCK_NONE && end < room)
		store_frame(&ret[end++], &chains->frames[frame], row);
	if (frame != RS_BLOCK_NONE || end + inner > room)
		return false;
	struct rossym_frame *own = &ret[inner ? end++ : begin];
	rs_entry_answer_frame(image, chains->index, raw.entry, row, flags, own);
	if (block->parts.longs.count > 0 && !image->whole)
		rs_frame_make_whole(own, block, raw.entry->function, raw.entry->file);
	return rs_frame_store_end(to, end);
}

int rs_chains_lookup(struct rossym_image *image, const struct rs_chains *chains, const uint64_t *rvas, int count,
		     unsigned flags, struct rs_frame_store *to)
{
	struct raw_answer raws[RS_INDEX_BATCH];
	uint32_t rows[RS_INDEX_BATCH];
	find_raw_answers(chains, rvas, (size_t)count, flags, raws, rows);
	for (int i = 0; i < count; i++)
		if (to->used >= to->room || !store_frames(image, chains, raws[i], rows[i], flags, to))
			return i;
	return count;
}
