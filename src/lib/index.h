/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - the whole table, laid out for many look-ups
 *
 * For each address at which a row counts: its address as a 32-bit key, and apart from the keys what its rows say
 * together.  A search touches keys only.  A table over blocks of addresses, about as many as keys, says where in
 * the keys a block begins, so that the search is over a few keys that share a cache line.
 *
 * Building it reads the table once, in order, and checks the order.  After that it is immutable.
 */
#ifndef RS_INDEX_H
#define RS_INDEX_H

#include "lib/answer.h"

struct rs_index {
	uint32_t count;
	uint32_t *keys;
	struct rs_payload *payloads;
	uint32_t first;		/* the address of block 0 */
	unsigned shift;		/* a block is 1 << shift bytes */
	uint32_t block_count;
	uint32_t *blocks;	/* block b's keys are keys[blocks[b]] up to keys[blocks[b + 1]] */
};

/* LIMIT: no address from there on will be looked up. */
int rs_index_build(struct rs_index *index, struct rs_table *table, const struct rs_source *source, uint64_t limit,
		   struct rossym_error *err);
void rs_index_clear(struct rs_index *index);

/* As rs_lookup(), but it cannot fail. */
int rs_index_lookup(const struct rs_index *index, uint64_t address, struct rs_payload *payload, uint64_t *at);

#endif
