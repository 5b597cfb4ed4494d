/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - the extension block after a table's strings, in memory: the frames around inlined calls, where functions
 * end, and strings that were cut
 *
 * The block is read whole when something of it is first needed, and the core judges it then.  After that no reference,
 * row or frame can be out of range, and every chain of frames ends.  All of that takes time and memory in proportion to
 * the section.
 *
 * A block that does not pass is kept as one with nothing in it and the reason why.
 */
#ifndef RS_BLOCK_H
#define RS_BLOCK_H

#include "core/parts.h"
#include "lib/table/segments.h"

/* From address RVA on, up to the next start, answers have the chain that begins with FRAME, or none: RS_BLOCK_NONE. */
struct rs_chain_start {
	uint32_t rva, frame;
};

struct rs_block {
	enum { RS_BLOCK_ABSENT, RS_BLOCK_SOUND, RS_BLOCK_DAMAGED } state;
	struct rossym_error why;   /* if damaged */
	struct rs_parts parts;	   /* in `bytes` */
	struct rs_columns names;   /* other names, in `bytes` */
	const char *table_strings; /* with RS_SEGMENTS_SLACK, as are the block's own */
	uint32_t table_strings_size;
	const char *strings; /* the block's own */
	struct rs_chain_start *starts;
	uint32_t start_count;
	uint8_t *bytes; /* all of it */
};

/* Read and judge the block after TABLE, which ends at or before END.  Returns a block, which is also made if there is
   none, or if it is damaged; or NULL if it could not be read, and a later attempt may succeed. */
struct rs_block *rs_block_read(const struct rs_table *table, struct rs_segments *strings, uint64_t end,
			       struct rossym_error *err);
void rs_block_free(struct rs_block *block);

/* Returns the string that REFERENCE means; "" for offset 0. */
const char *rs_block_string(const struct rs_block *block, uint32_t reference);

/* Returns the first frame of the answer at address RVA; and that of row number ROW.  RS_BLOCK_NONE: it has
   no frames. */
uint32_t rs_block_chain_at(const struct rs_block *block, uint32_t rva);
uint32_t rs_block_chain_of(const struct rs_block *block, uint32_t row);

/* Returns frame NUMBER; and function NUMBER, which is no other name.  They must exist. */
struct rs_outer rs_block_frame(const struct rs_block *block, uint32_t number);
struct rs_block_func rs_block_func(const struct rs_block *block, uint32_t number);

/* Go through functions and other names together, in ascending order of their addresses.  WALK is all zeros at the
   beginning.  False: there are none left. */
struct rs_block_walk {
	uint32_t functions, names; /* how many are behind */
};
bool rs_block_next(const struct rs_block *block, struct rs_block_walk *walk, struct rs_block_func *function);

/* Store the function that contains RVA, as rs_parts_func_at() does.  False: none does. */
bool rs_block_func_at(const struct rs_block *block, uint64_t rva, struct rs_block_func *function, uint32_t *places);

/* Returns the whole string for the one at OFFSET of the table's strings; NULL if that was not cut. */
const char *rs_block_whole(const struct rs_block *block, uint32_t offset);

#endif
