/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block-write.h - the extension block of a table that is being made
 *
 * The block has what rows have no room for: the frames around inlined calls, functions with their ends, and strings
 * that were cut.  It is made after the table's strings have been laid out, refers to these where it can, and has only
 * the other strings itself.  The order of frames and strings does not depend on the order in which they were added.
 */
#ifndef RS_BLOCK_WRITE_H
#define RS_BLOCK_WRITE_H

#include "write/draft.h"
#include "write/pool.h"

struct rs_block_content { /* what a block is made of */
	const struct rs_rows *rows;
	const struct rs_frames *frames;
	bool inner;				 /* the frames are inside the rows' own frames; else around them */
	const struct rs_new_function *functions; /* sorted by rs_draft_sort_functions() */
	uint32_t function_count;
	const struct rs_pool *strings; /* the table's strings, laid out */
	uint32_t table_strings_size;   /* bytes of the table's strings */
};

struct rs_block_made {
	uint8_t *bytes; /* to be rs_free()d; NULL if there is nothing to write */
	uint32_t size;
	uint32_t frames, runs, functions, names, long_strings;
};

/* Make the block of CONTENT.  Its header is not written before rs_block_seal().  Returns 0; or -1: ROSSYM_ENOMEM, or
   ROSSYM_EREFUSED for a block of 4 GiB or more. */
int rs_block_make(const struct rs_block_content *content, struct rs_block_made *ret, struct rossym_error *err);

#endif
