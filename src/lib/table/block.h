/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - the extension block after a table's strings, in memory: the frames of inlined calls, where functions
 * end, and the whole forms of strings that are cut in the table
 *
 * When something of the block is first needed, all of it is read, and the core checks it.  After that no reference, row
 * or frame is out of range, and every chain of frames ends.  This takes time and memory in proportion to the section.
 *
 * A damaged block becomes an empty struct rs_block, with the reason in `why`.
 */
#ifndef RS_BLOCK_H
#define RS_BLOCK_H

#include "core/parts.h"
#include "lib/table/table-strings.h"

struct rs_block {
	enum { RS_BLOCK_ABSENT, RS_BLOCK_SOUND, RS_BLOCK_DAMAGED } state;
	struct rossym_error why;      /* if damaged: what is wrong */
	const struct rs_table *table; /* the table before the block */
	struct rs_parts parts;	      /* where the parts of the block are in `bytes` */
	struct rs_columns names;      /* where other names of code, such as aliases, are in `bytes` */
	/* all strings of the table.  RS_STRINGS_SLACK bytes after them can be read, too, and also after `strings` */
	const char *table_strings;
	const char *strings; /* the strings that only the block has; in `bytes` */
	uint8_t *bytes;	     /* the whole block */
};

/* Read and check the block after TABLE, whose strings are STRINGS.  The block must end at or before the offset END, and
   TABLE must outlive it.  The field `state` of the result tells whether there is a block, and whether it is damaged.
   Returns NULL if reading fails or there is no memory; then a later call may succeed. */
struct rs_block *rs_block_read(const struct rs_table *table, struct rs_table_strings *strings, uint64_t end,
			       struct rossym_error *err);
void rs_block_free(struct rs_block *block);

/* Returns the string that REFERENCE, a number in a record of the block, stands for.  Below parts.own_from, REFERENCE is
   an offset in the table's strings; from there on, REFERENCE - parts.own_from is an offset in the block's own strings
   (core/parts.h).  Offset 0 of either is "". */
const char *rs_block_get_string(const struct rs_block *block, uint32_t reference);

/* Returns record NUMBER, which must exist, of FUNCTIONS: a block's functions or its other names of code (aliases). */
struct rs_block_func rs_block_get_function(const struct rs_columns *functions, uint32_t number);

/* Store in *FUNCTION the next function or other name of code; call this repeatedly to get all in order of addresses.
   *FUNCTIONS and *NAMES, 0 before the first call, count how many of each were stored.  False: there are no more. */
bool rs_block_next_function(const struct rs_block *block, uint32_t *functions, uint32_t *names,
			    struct rs_block_func *function);

/* ----------------------------------------------------------------------- frames, functions in public form */

/* Set the function of FRAME, or its file, and the length of that string.  For an empty string, FRAME gets NULL. */
void rs_frame_set_function(struct rossym_frame *frame, const char *function);
void rs_frame_set_file(struct rossym_frame *frame, const char *file);

/* Store frame NUMBER of BLOCK in *RET, except row_rva.  Returns the number of the next frame of its chain, or
   RS_BLOCK_NONE. */
uint32_t rs_block_get_frame(const struct rs_block *block, uint32_t number, struct rossym_frame *ret);

/* Returns FUNCTION, a function of BLOCK, in the form of rossym.h.  PLACES goes into the result's field `places`. */
struct rossym_function rs_block_convert_function(const struct rs_block *block, struct rs_block_func function,
						 uint32_t places);

#endif
