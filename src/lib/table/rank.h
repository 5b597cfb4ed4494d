/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rank.h - the rank of an address: how many addresses of an ascending list are at or below it
 *
 * The rows of an image are about eight bytes apart.  So the range of addresses is divided into blocks of 64 addresses.
 * A block has a bit for each of its addresses, which is set if the address is in the list, and the number of listed
 * addresses below the block.  So one block, in one cache line, gives a rank without a search.  If the addresses are so
 * far apart that blocks would take too much memory, a rank has the list in place of blocks, and bisects it.
 *
 * With a list, looking up a million addresses takes 3 times as long as with blocks if the table has 100,000 rows, and 4
 * times if it has a million.  tests/core/unit-rank.c checks that both give equal ranks.
 *
 * A rank does not change after it has been built.
 */
#ifndef RS_RANK_H
#define RS_RANK_H

#include "rossym.h"

/* Returns how many bits of X are set.  Each step adds the counts of neighbouring groups of bits: of single bits, of
   pairs, of fours; the product adds the counts of all bytes into the highest byte.  This is plain C, because some
   processors that we build for have no instruction that counts bits. */
static inline unsigned count_one_bits(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns how many bits of X are above the highest bit that is set.  X must not be 0. */
static inline unsigned count_leading_zeros(uint64_t x)
{
#ifdef __GNUC__
	return (unsigned)__builtin_clzll(x);
#else
	unsigned zeros = 0;
	for (; !(x >> 63); x <<= 1)
		zeros++;
	return zeros;
#endif
}

struct rs_rank_block {
	uint64_t bits;	/* bit i: the block's first address + i is in the list */
	uint32_t below; /* how many addresses of the list are below the block */
	uint32_t last;	/* the highest address of the list that is below the block */
};

struct rs_rank {
	struct rs_rank_block *blocks; /* NULL: the rank has `list` in place of blocks */
	uint64_t begin;		      /* the first address of the first block */
	uint64_t end;		      /* bytes from `begin` to the last block, which is empty */
	uint32_t *list;		      /* NULL: there are blocks */
	uint32_t count;		      /* how many addresses are listed */
};

/* Build RANK from LIST, which has COUNT ascending addresses, at least one.  LIST is from rs_alloc(); on success RANK
   owns it.  Blocks are built only if they take no more than 6 bytes for each address, plus EXTRA bytes; otherwise RANK
   searches the list.  Returns 0, or -1 if there is no memory. */
int rs_rank_build(struct rs_rank *rank, uint32_t *list, uint32_t count, uint64_t extra, struct rossym_error *err);
void rs_rank_clear(struct rs_rank *rank);

/* The next three functions are the steps that find the rank of ADDRESS by blocks; between them, a caller can prefetch
   the block.  The first returns the position of ADDRESS, counted from `begin`; the second, the block of a position; the
   third, the rank.  If the rank is not 0, the third stores in *AT the highest listed address at or below ADDRESS. */
static inline uint64_t rs_rank_get_position(const struct rs_rank *rank, uint64_t address)
{
	uint64_t position = address > rank->begin ? address - rank->begin : 0;
	/* An address below all blocks gets a position in the first block, which is below all listed addresses; one
	   above all blocks gets a position in the last block, above them.  So the next steps need no branch. */
	return position < rank->end ? position : rank->end;
}

static inline const struct rs_rank_block *rs_rank_get_block(const struct rs_rank *rank, uint64_t position)
{
	return &rank->blocks[position / 64];
}

static inline uint32_t rs_rank_find_in_block(const struct rs_rank *rank, uint64_t position, uint32_t *at)
{
	const struct rs_rank_block *block = rs_rank_get_block(rank, position);
	/* Shift the bit of the address to the top, which drops the bits of higher addresses. */
	uint64_t bits = block->bits << (63 - position % 64);
	*at = bits ? (uint32_t)(rank->begin + position) - count_leading_zeros(bits) : block->last;
	return block->below + count_one_bits(bits);
}

/* Do what rs_rank_find() does, for a rank that has a list and no blocks. */
uint32_t rs_rank_find_in_list(const struct rs_rank *rank, uint64_t address, uint32_t *at);

/* Returns the rank of ADDRESS.  If it is not 0, stores in *AT the highest address of the list at or below ADDRESS. */
static inline uint32_t rs_rank_find(const struct rs_rank *rank, uint64_t address, uint32_t *at)
{
	return rank->blocks ? rs_rank_find_in_block(rank, rs_rank_get_position(rank, address), at)
			    : rs_rank_find_in_list(rank, address, at);
}

#endif
