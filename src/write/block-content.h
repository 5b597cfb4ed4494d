/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-content.h - what the extension block of a table will hold
 *
 * The block has what rows have no room for: the frames around inlined calls, functions with their ends, and
 * strings that were cut.  When the table's strings have places, rs_block_collect() decides what is written, in which
 * order, and where each string is: strings that the table has are taken from there, and only the others take room in
 * the block.  The order of frames and strings does not depend on the order in which they were added.
 */
#ifndef RS_BLOCK_CONTENT_H
#define RS_BLOCK_CONTENT_H

#include "write/draft.h"
#include "write/pool.h"

/* A string of the table that a longer one stands for. */
struct rs_long_string {
	uint32_t offset; /* of the short one in the table's strings */
	uint32_t whole;	 /* number of the long one */
};

struct rs_block_content {
	/* What the caller sets; all else is 0. */
	const struct rs_rows *rows;
	const struct rs_frames *frames;
	bool inner;				 /* the frames lie inside the rows' own frames, not around them */
	const struct rs_new_function *functions; /* sorted */
	uint32_t function_count;
	const struct rs_pool *strings; /* the table's, laid out */
	uint32_t table_strings_size;   /* and how many bytes they have */

	/* What rs_block_collect() decides. */
	uint32_t *frame_numbers;      /* 1 + the number of each frame in the block; 0: it is not written */
	uint32_t *frame_order;	      /* of each frame in the block, its number among all frames */
	uint32_t *references;	      /* to each string */
	struct rs_pool own;	      /* the strings that only the block has */
	struct rs_long_string *longs; /* sorted */
	uint32_t strings_size;	      /* of the block's own strings */
	uint32_t frame_count, runs, long_count;
	uint32_t name_count; /* how many of the functions are only names: their length is 0 */
};

/* Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many strings.  Call rs_block_content_clear() in
   either case. */
int rs_block_collect(struct rs_block_content *content, struct rossym_error *err);
void rs_block_content_clear(struct rs_block_content *content);

#endif
