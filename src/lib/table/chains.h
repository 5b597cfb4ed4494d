/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains.h - the frames and functions of a block, laid out for many look-ups
 *
 * What block.h and core/parts.h find by bisection and unpack from records of a few bits is here in arrays: for each
 * entry of the index, by rank, its chain of frames and its function; and each frame as callers get it.  With the block
 * alone, a million random addresses with -f and -i take 3 times as long.
 *
 * The arrays take up to 120 bytes for each row.  Making them takes as long as looking up a fourth to a half of the
 * rows.  Immutable once they are made.
 */
#ifndef RS_CHAINS_H
#define RS_CHAINS_H

#include "lib/table/block.h"
#include "lib/table/index.h"
#include "lib/table/prefetch.h"

enum {
	RS_CHAINS_NO_FUNCTION = UINT32_MAX, /* no function contains the address */
	/* several functions begin together there; the block knows more */
	RS_CHAINS_MANY_FUNCTIONS = UINT32_MAX - 1,
};

struct rs_chains {
	const struct rs_block *block;
	const struct rs_index *index;
	/* the number of a frame that stands for no frame: its fields are zeros, and its chain ends there */
	uint32_t none;
	/* by rank: the number of the first frame in the chain of that entry; `none`: it has no chain */
	uint32_t *frame_at;
	/* by rank, for the address of the entry: the function that contains it, or as above */
	uint32_t *function_at;
	struct rossym_frame *frames;	   /* by number; row_rva is the number of the next frame, or RS_BLOCK_NONE */
	struct rossym_function *functions; /* by number, as callers get them */
};

/* How many look-ups it takes until the chains of BLOCK pay, in an index of COUNT entries. */
uint64_t rs_chains_pay_from(const struct rs_block *block, uint32_t count);

/* Make the chains of BLOCK, which is sound, for the entries of INDEX; both must outlive them.  NULL: there is no
   memory, or the block has so many frames that they would take too much. */
struct rs_chains *rs_chains_make(const struct rs_block *block, const struct rs_index *index);
void rs_chains_free(struct rs_chains *chains);

/* Returns the rank of ADDRESS, if an entry of the index begins there; else 0. */
static inline uint32_t rs_chains_rank(const struct rs_chains *chains, uint64_t address)
{
	uint32_t at = 0, found = rs_rank_of(&chains->index->rank, address, &at);
	return at == address ? found : 0;
}

#endif
