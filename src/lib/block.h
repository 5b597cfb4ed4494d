/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - the extension block after a table's strings, in memory: the frames around inlined calls, where functions end, and
 * strings that were cut
 *
 * The block is read whole when something of it is first needed, and the core judges it then.  After that no reference, row or
 * frame can be out of range, and every chain of frames ends.  All of that takes time and memory in proportion to the section.
 *
 * A block that does not pass is kept as one with nothing in it and the reason why.
 */
#ifndef RS_BLOCK_H
#define RS_BLOCK_H

#include "core/parts.h"
#include "lib/segments.h"

/* From an address on, up to the next one's: the first frame of the rows that speak, or RS_BLOCK_NONE. */
struct rs_chain_start {
	uint32_t rva, frame;
};

struct rs_block {
	enum { RS_BLOCK_ABSENT, RS_BLOCK_SOUND, RS_BLOCK_DAMAGED } state;
	struct rossym_error why;	/* if damaged */
	struct rs_parts parts;		/* in `bytes` */
	const char *table_strings;	/* with RS_SEGMENTS_SLACK, as are the block's own */
	uint32_t table_strings_size;
	const char *strings;		/* the block's own */
	struct rs_chain_start *starts;
	uint32_t start_count;
	uint8_t *bytes;			/* all of it */
};

/* Read the block after TABLE, up to END: a new block, or NULL with an error for which nothing is decided. */
struct rs_block *rs_block_read(const struct rs_table *table, struct rs_segments *strings, uint64_t end, struct rossym_error *err);
void rs_block_free(struct rs_block *block);

/* The string that a reference of the block means. */
const char *rs_block_string(const struct rs_block *block, uint32_t reference);

/* The first frame of the rows at address RVA, which are rows that speak; and of row number ROW.  RS_BLOCK_NONE: none. */
uint32_t rs_block_chain_at(const struct rs_block *block, uint32_t rva);
uint32_t rs_block_chain_of(const struct rs_block *block, uint32_t row);

/* Frame NUMBER, which exists, as are the others below. */
struct rs_outer rs_block_frame(const struct rs_block *block, uint32_t number);
struct rs_block_func rs_block_func(const struct rs_block *block, uint32_t number);

/* The function that contains RVA, as rs_parts_func_at().  False: none. */
bool rs_block_func_at(const struct rs_block *block, uint64_t rva, struct rs_block_func *function, uint32_t *places);

/* The whole string for the one at OFFSET of the table, if that was cut; else NULL. */
const char *rs_block_whole(const struct rs_block *block, uint32_t offset);

#endif
