/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h - how many of an ascending list of addresses are at or below another
 *
 * Rows of an image are some eight bytes apart.  So each address of the list is a bit among those of a block of 64
 * addresses, and each block knows how many are below it: then one block answers, it never crosses a cache line, and
 * nothing is searched.  Where addresses are so far apart that blocks would take too much memory, they stay a list.
 *
 * Immutable once it is built.
 */
#ifndef RS_RANK_H
#define RS_RANK_H

#include "lib/bits.h"
#include "rossym.h"

#include <stddef.h>

struct rs_rank_block {
	uint64_t bits;		/* bit i: the block's first address + i is in the list */
	uint32_t below;		/* how many addresses of the list are below the block, */
	uint32_t last;		/* and the last of them */
};

struct rs_rank {
	struct rs_rank_block *blocks;	/* the first and the last are empty; NULL: there is a list */
	uint64_t begin;			/* the address of the first block */
	uint64_t end;			/* how far behind it the last block begins */
	uint32_t *list;
	uint32_t count;
};

/* Takes LIST, of COUNT addresses, at least one, which is from rs_alloc(); not if it fails.  Blocks may take 6 bytes for each
   of them, and SPARE bytes. */
int rs_rank_build(struct rs_rank *rank, uint32_t *list, uint32_t count, uint64_t spare, struct rossym_error *err);
void rs_rank_clear(struct rs_rank *rank);

/* In steps, so that many can wait for memory together: where ADDRESS is, its block, and the rank.  *AT is the last address
   that was counted, if there is one. */
static inline uint64_t rs_rank_position(const struct rs_rank *rank, uint64_t address)
{
	uint64_t position = address > rank->begin ? address - rank->begin : 0;
	return position < rank->end ? position : rank->end;
}

static inline const struct rs_rank_block *rs_rank_block(const struct rs_rank *rank, uint64_t position)
{
	return &rank->blocks[position / 64];
}

static inline uint32_t rs_rank_in_block(const struct rs_rank *rank, uint64_t position, uint32_t *at)
{
	const struct rs_rank_block *block = rs_rank_block(rank, position);
	/* The bit of the address itself comes to be the highest, those of greater ones go. */
	uint64_t bits = block->bits << (63 - position % 64);
	*at = bits ? (uint32_t)(rank->begin + position) - bits_leading_zeros(bits) : block->last;
	return block->below + bits_count(bits);
}

/* The same of a list. */
uint32_t rs_rank_in_list(const struct rs_rank *rank, uint64_t address, uint32_t *at);

#endif
