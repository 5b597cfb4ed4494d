/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-write.h - the extension block of a table that is being made
 *
 * What the rows do not hold: the frames around inlined calls, where functions end, and strings that were cut.  Its
 * strings are in a pool of their own.  Those that the table has are taken from there when the block is made, so that
 * only the rest takes room.
 */
#ifndef RS_BLOCK_WRITE_H
#define RS_BLOCK_WRITE_H

#include "write/frames.h"
#include "write/pool.h"

#include <stdbool.h>

struct rs_block_function {
	uint32_t rva, length;
	uint32_t name;		/* number in the block's pool */
	uint32_t order;		/* in which it came */
};

/* All zeros but for the pool, which rs_pool_open() opens: empty. */
struct rs_block_draft {
	struct rs_pool strings;
	struct rs_frames frames;
	bool inner;		/* the frames stand inside the rows' own ones, not around them */
	struct rs_block_function *functions;
	uint32_t function_count, function_room;
};

void rs_block_draft_clear(struct rs_block_draft *draft);

int rs_block_draft_function(struct rs_block_draft *draft, struct rs_block_function function, struct rossym_error *err);

/* The table: its strings, laid out, how many bytes they take, and for each row the number of its first frame, or 0. */
struct rs_block_table {
	const struct rs_pool *strings;
	uint32_t strings_size;
	uint32_t row_count;
	uint32_t (*frame_of)(const void *rows, uint32_t row);
	const void *rows;
};

struct rs_block_made {
	uint8_t *bytes;		/* to be rs_free()d; NULL if there is nothing to write */
	uint32_t size;
	uint32_t frames, runs, functions, long_strings;
};

/* Make the block, but for the two checksums, which rs_block_seal() adds when the table's bytes are there. */
int rs_block_make(struct rs_block_draft *draft, const struct rs_block_table *table, struct rs_block_made *ret,
		  struct rossym_error *err);
void rs_block_seal(uint8_t *block, uint32_t size, const uint8_t *table, size_t table_size);

#endif
