/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-content.h - what the extension block of a table will hold
 *
 * The block has what rows have no room for: the frames around inlined calls, functions with their ends, and strings
 * that were cut.  After the table's strings have been laid out, rs_block_collect() decides what is written, in which
 * order, and where each string is.  The block refers to strings of the table where it can, and has only the others
 * itself.  The order of frames and strings does not depend on the order in which they were added.
 */
#ifndef RS_BLOCK_CONTENT_H
#define RS_BLOCK_CONTENT_H

#include "write/draft.h"
#include "write/pool.h"

/* A string that was cut. */
struct rs_long_string {
	uint32_t offset; /* offset of the short form in the table's strings */
	uint32_t whole;	 /* number of the whole string */
};

struct rs_block_content {
	/* The caller sets these.  All other fields are 0 before rs_block_collect(). */
	const struct rs_rows *rows;
	const struct rs_frames *frames;
	bool inner;				 /* the frames are inside those of rows; else around them */
	const struct rs_new_function *functions; /* sorted by rs_draft_sort_functions() */
	uint32_t function_count;
	const struct rs_pool *strings; /* the table's strings, laid out */
	uint32_t table_strings_size;   /* bytes of the table's strings */

	/* What rs_block_collect() decides. */
	uint32_t *frame_numbers;      /* by a frame's number in `frames`: 1 + its number in the block; 0: not written */
	uint32_t *frame_order;	      /* by a frame's number in the block: its number in `frames` */
	uint32_t *references;	      /* by a string's number: the reference to it */
	struct rs_pool own;	      /* the strings that only the block has */
	struct rs_long_string *longs; /* sorted by offset */
	uint32_t strings_size;	      /* bytes of the strings in `own` */
	uint32_t frame_count, runs, long_count;
	uint32_t name_count; /* how many of the functions are only names: their length is 0 */
};

/* Decide what the block holds.  Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many strings.  Call
   rs_block_content_clear() in either case. */
int rs_block_collect(struct rs_block_content *content, struct rossym_error *err);
void rs_block_content_clear(struct rs_block_content *content);

#endif
