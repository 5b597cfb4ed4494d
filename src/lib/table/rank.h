/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h - the rank of an address: how many addresses of an ascending list are at or below it
 *
 * The rows of an image are about eight bytes apart.  So a block covers 64 addresses, with a bit for each that is in
 * the list and the number of listed addresses below the block.  One block gives the answer, without a search and from
 * one cache line.  If the addresses are so far apart that blocks would take too much memory, they stay a list, which
 * is searched.
 *
 * With the list alone, a million addresses take 3 times as long in 100,000 rows, 4 times in a million.
 * tests/unit-rank.c keeps both equal.
 *
 * Immutable once it is built.
 */
#ifndef RS_RANK_H
#define RS_RANK_H

#include "lib/table/bits.h"
#include "rossym.h"

#include <stddef.h>

struct rs_rank_block {
	uint64_t bits;	/* bit i: the block's first address + i is in the list */
	uint32_t below; /* how many addresses of the list are below the block */
	uint32_t last;	/* the highest of them */
};

struct rs_rank {
	struct rs_rank_block *blocks; /* the first and the last are empty; NULL: there is a list */
	uint64_t begin;		      /* the address of the first block */
	uint64_t end;		      /* where the last block begins, counted from `begin` */
	uint32_t *list;
	uint32_t count;
};

/* Build RANK from LIST, which has COUNT ascending addresses, at least one.  LIST is from rs_alloc(); on success RANK
   owns it.  Blocks are built only if they take no more than 6 bytes for each address, plus EXTRA bytes; otherwise RANK
   searches the list.  Returns 0, or -1 if there is no memory. */
int rs_rank_build(struct rs_rank *rank, uint32_t *list, uint32_t count, uint64_t extra, struct rossym_error *err);
void rs_rank_clear(struct rs_rank *rank);

/* A look-up in a rank with blocks has three steps, so that many look-ups can wait for memory together.  They find the
   position of ADDRESS, its block, and its rank.  If the rank is not 0, the last step stores in *AT the highest address
   of the list at or below ADDRESS. */
static inline uint64_t rs_rank_position(const struct rs_rank *rank, uint64_t address)
{
	uint64_t position = address > rank->begin ? address - rank->begin : 0;
	/* An address outside all blocks takes a place in the first or the last one, where nothing is listed.  So later
	   steps need no branch for it. */
	return position < rank->end ? position : rank->end;
}

static inline const struct rs_rank_block *rs_rank_block(const struct rs_rank *rank, uint64_t position)
{
	return &rank->blocks[position / 64];
}

static inline uint32_t rs_rank_in_block(const struct rs_rank *rank, uint64_t position, uint32_t *at)
{
	const struct rs_rank_block *block = rs_rank_block(rank, position);
	/* Shift the bit of the address to the top; the bits of higher addresses drop out. */
	uint64_t bits = block->bits << (63 - position % 64);
	*at = bits ? (uint32_t)(rank->begin + position) - bits_leading_zeros(bits) : block->last;
	return block->below + bits_count(bits);
}

/* The rank of an address and its row from the list, if there are no blocks. */
uint32_t rs_rank_in_list(const struct rs_rank *rank, uint64_t address, uint32_t *at);

/* Do all steps for one address: with the blocks if there are any, else with the list. */
static inline uint32_t rs_rank_of(const struct rs_rank *rank, uint64_t address, uint32_t *at)
{
	return rank->blocks ? rs_rank_in_block(rank, rs_rank_position(rank, address), at)
			    : rs_rank_in_list(rank, address, at);
}

#endif
