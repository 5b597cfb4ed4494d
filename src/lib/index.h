/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - the whole table, laid out for many look-ups
 *
 * For each address at which a row counts: its address as a 32-bit key, and apart from the keys what its rows say
 * together, in 16 bytes that never cross a cache line.  A search touches keys only.  A table over blocks of addresses,
 * about a third as many as keys, says where in the keys a block begins: so the search is over a few keys that share a
 * cache line, and they are counted rather than divided, without a branch.  The lengths of strings are measured once.
 *
 * A look-up waits for memory four times in a row: for the block, the keys, what they say, and the strings.  So many
 * look-ups are done step by step, each step for all of them, and each asks for the memory that the next one needs: then
 * they wait together.
 *
 * Building it reads the table once, in order, and checks the order.  After that it is immutable.
 */
#ifndef RS_INDEX_H
#define RS_INDEX_H

#include "lib/answer.h"

#include <string.h>

/* What the rows of an address say. */
struct rs_said {
	uint32_t function, file, line;	/* as in struct rs_payload */
	uint8_t function_length;	/* of the strings; RS_SAID_LONG: so long or longer */
	uint8_t file_length;
	bool plain;		/* there are both strings, and neither is RS_SAID_LONG */
};

enum { RS_SAID_LONG = 255 };

struct rs_index {
	uint32_t count;
	int32_t *keys;			/* and RS_INDEX_STRIDE more that are no smaller than any */
	struct rs_said *said;
	uint32_t first;			/* the address of block 0 */
	unsigned shift;			/* a block is 1 << shift bytes */
	uint32_t block_count;
	uint32_t *blocks;		/* block b's keys are keys[blocks[b]] up to keys[blocks[b + 1]]; behind the
					   last an empty one */
	const char *strings;		/* the table's, with RS_SEGMENTS_SLACK */
};

/* Addresses as signed numbers in the same order, for processors compare those, many at once. */
static inline int32_t rs_index_key(uint32_t address)
{
	return (int32_t)(address ^ UINT32_C(0x80000000));
}

static inline uint32_t rs_index_address(int32_t key)
{
	return (uint32_t)key ^ UINT32_C(0x80000000);
}

enum {
	RS_INDEX_STRIDE = 8,		/* keys that are counted at once */
	RS_INDEX_BATCH = 64		/* look-ups in flight */
};

/* LIMIT: no address from there on will be looked up. */
int rs_index_build(struct rs_index *index, struct rs_table *table, const struct rs_source *source, uint64_t limit,
		   struct rossym_error *err);
void rs_index_clear(struct rs_index *index);

/* For each of up to RS_INDEX_BATCH addresses, how many keys are at or below it.  If that is not 0, the last of them has
   the rows that speak for the address. */
void rs_index_find(const struct rs_index *index, const uint32_t *addresses, size_t count, uint32_t *below);

/* The length of one of its strings: OFFSET and what struct rs_said has for the length. */
static inline uint32_t rs_index_length(const struct rs_index *index, uint32_t offset, uint8_t length)
{
	return length < RS_SAID_LONG ? length
	       : RS_SAID_LONG + (uint32_t)strlen(index->strings + offset + RS_SAID_LONG);
}

#endif
