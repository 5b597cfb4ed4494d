/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-content.h - what the extension block of a table will hold
 *
 * The block has what rows have no room for: the frames around inlined calls, functions with their ends, and
 * strings that were cut.  A draft collects these.  When the table's strings have places, rs_block_collect()
 * decides what is written, in which order, and where each string is: strings that the table has are taken from
 * there, and only the others take room in the block.  The order of frames and strings does not depend on the order
 * in which they were added.
 */
#ifndef RS_BLOCK_CONTENT_H
#define RS_BLOCK_CONTENT_H

#include "write/frames.h"
#include "write/new-rows.h"

struct rs_block_function {
	uint32_t rva, length;
	uint32_t name;	/* number in the block's pool */
	uint32_t order; /* how many were added before */
};

/* All zeros but for the pool, which rs_pool_open() opens: empty. */
struct rs_block_draft {
	struct rs_pool strings;
	struct rs_frames frames;
	bool inner; /* the frames lie inside the rows' own frames, not around them */
	struct rs_block_function *functions;
	uint32_t function_count, function_room;
};

void rs_block_draft_clear(struct rs_block_draft *draft);

/* Add FUNCTION, whose order does not count.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many. */
int rs_block_draft_function(struct rs_block_draft *draft, struct rs_block_function function, struct rossym_error *err);

/* A string of the table that a longer one stands for. */
struct rs_long_string {
	uint32_t offset; /* of the short one in the table's strings */
	uint32_t whole;	 /* number of the long one in the block's pool */
};

struct rs_block_content {
	/* What the caller sets; all else is 0. */
	struct rs_block_draft *draft;
	const struct rs_rows *rows;
	const struct rs_pool *strings; /* the table's, laid out */
	uint32_t table_strings_size;   /* and how many bytes they have */

	/* What rs_block_collect() decides. */
	uint32_t *frame_numbers;	     /* 1 + the number of each frame in the block; 0: it is not written */
	uint32_t *frame_order;		     /* the draft's number of each frame in the block */
	uint32_t *references;		     /* to each string of the block's pool */
	struct rs_block_function *functions; /* sorted */
	struct rs_long_string *longs;	     /* sorted */
	uint32_t strings_size;		     /* of the block's own strings */
	uint32_t frames, runs, function_count, long_count;
	uint32_t name_count; /* how many of the functions are only names: their length is 0 */
};

/* Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many strings.  Call rs_block_content_clear() in
   either case. */
int rs_block_collect(struct rs_block_content *content, struct rossym_error *err);
void rs_block_content_clear(struct rs_block_content *content);

#endif
