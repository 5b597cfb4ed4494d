/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * block.h - the extension block behind a table's strings: the frames around inlined calls, where functions end, and
 * strings that were cut
 *
 * It is read when somebody wants something of it, whole, and judged then: its checksums, whether it belongs to this
 * table, and every number in it.  Behind that door no reference, row or frame can be out of range, and no chain of frames
 * has an end that is not reached.  All of that takes time and memory in proportion to the section.
 *
 * A block that does not pass is kept as one with nothing in it and the reason why.
 */
#ifndef RS_BLOCK_H
#define RS_BLOCK_H

#include "lib/columns.h"
#include "lib/source.h"
#include "lib/table.h"

#include <stdbool.h>

/* From an address on, up to the next one's: the first frame of the rows that speak, or RS_BLOCK_NONE. */
struct rs_chain_start {
	uint32_t rva, frame;
};

struct rs_block {
	enum { RS_BLOCK_ABSENT, RS_BLOCK_SOUND, RS_BLOCK_DAMAGED } state;
	struct rossym_error why;	/* if damaged */
	uint64_t offset;		/* in the source */
	uint32_t size;
	const char *table_strings;	/* with RS_SEGMENTS_SLACK, as are the block's own */
	uint32_t table_strings_size;
	bool first_form;
	const char *strings;		/* the block's own */
	uint32_t strings_size;
	uint32_t own_from;		/* references from here on are into the block's own strings */
	struct rs_columns frames, runs, functions, longs;
	bool inner;			/* the frames stand inside the rows' own */
	struct rs_chain_start *starts;
	uint32_t start_count;
	uint8_t *bytes;			/* all of it */
};

/* Where the block of TABLE begins in the source, if there is one. */
uint64_t rs_block_offset(const struct rs_table *table);

/* Read what is behind TABLE, up to END in SOURCE: a new block, or NULL with an error for which nothing is decided. */
struct rs_block *rs_block_read(struct rs_table *table, const struct rs_source *source, uint64_t end,
			       struct rossym_error *err);
void rs_block_free(struct rs_block *block);

/* The string that a reference of the block means. */
const char *rs_block_string(const struct rs_block *block, uint32_t reference);

/* The first frame of the rows at address RVA, which are rows that speak; and of row number ROW.  RS_BLOCK_NONE: none. */
uint32_t rs_block_chain_at(const struct rs_block *block, uint32_t rva);
uint32_t rs_block_chain_of(const struct rs_block *block, uint32_t row);

struct rs_block_frame {
	const char *function, *file;	/* "" if unknown */
	uint32_t line;
	uint32_t next;			/* or RS_BLOCK_NONE */
};
struct rs_block_frame rs_block_frame(const struct rs_block *block, uint32_t number);

struct rs_block_func {
	uint32_t rva, length;
	uint32_t name;			/* a reference */
};
struct rs_block_func rs_block_func(const struct rs_block *block, uint32_t number);

/* How many functions begin at or below RVA: they ascend. */
uint32_t rs_block_funcs_up_to(const struct rs_block *block, uint64_t rva);

/* The whole string for the one at OFFSET of the table, if that was cut; else NULL. */
const char *rs_block_whole(const struct rs_block *block, uint32_t offset);

#endif
