/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains.h - the frames and functions of a block, laid out for many look-ups
 *
 * Without chains, block.h and core/parts.h bisect records, and unpack numbers of a few bits.  Here the results of that
 * are in arrays: for each entry of the index, by rank, its chain of frames and its function; and each frame as callers
 * get it.  Without them, a million random addresses with -f and -i take 3 times as long.
 *
 * The arrays take up to 120 bytes for each row.  Making them takes as long as looking up a fourth to a half of the
 * rows.  They do not change after they have been made.
 */
#ifndef RS_CHAINS_H
#define RS_CHAINS_H

#include "lib/table/block.h"
#include "lib/table/index.h"

enum {
	RS_CHAINS_NO_FUNCTION = UINT32_MAX, /* no function contains the address */
	/* the last function that begins at or below the entry's address is one of several that begin there: use
	   rs_parts_find_function_at() */
	RS_CHAINS_MANY_FUNCTIONS = UINT32_MAX - 1,
};

struct rs_chains {
	const struct rs_block *block;
	const struct rs_index *index;
	/* index of a frame that is all zeros and ends a chain: code can use it where there is no frame */
	uint32_t none;
	/* by rank: the number of the first frame in the entry's chain; `none`: the entry has no chain */
	uint32_t *frame_at;
	/* by rank: the number of the function that contains the entry's address, or one of RS_CHAINS_x */
	uint32_t *function_at;
	/* the block's frames, as callers get them; but row_rva is the number of the next frame, or RS_BLOCK_NONE */
	struct rossym_frame *frames;
	struct rossym_function *functions; /* the block's functions, as callers get them */
};

/* Returns from how many look-ups on it saves time to make the chains of BLOCK for an index of COUNT entries. */
uint64_t rs_chains_pay_from(const struct rs_block *block, uint32_t count);

/* Make the chains of BLOCK, which is sound, for the entries of INDEX; both must outlive them.  NULL: there is no
   memory, or the block has more than two frames or functions for each entry, so that the chains would
   take too much memory. */
struct rs_chains *rs_chains_make(const struct rs_block *block, const struct rs_index *index);
void rs_chains_free(struct rs_chains *chains);

/* Returns the rank of ADDRESS if an entry of the index begins exactly there; else 0. */
static inline uint32_t rs_chains_rank(const struct rs_chains *chains, uint64_t address)
{
	uint32_t at = 0, found = rs_rank_of(&chains->index->rank, address, &at);
	return at == address ? found : 0;
}

#endif
