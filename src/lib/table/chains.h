/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * chains.h - the frames and functions of a block, laid out for many look-ups
 *
 * The reference path, the simpler code in block.h and core/parts.h, bisects records and unpacks numbers of a few bits.
 * This fast path has what the records say in arrays: by the rank of each entry of the index (index.h), its first frame
 * and its function; and all frames in the form of rossym.h.  With the reference path, rossym-addr2line -f -i takes 3
 * times as long for a million addresses.
 *
 * The arrays take up to 120 bytes for each row.  Making them takes as long as looking up a fourth to a half of the
 * rows.  They do not change after they have been made.
 */
#ifndef RS_CHAINS_H
#define RS_CHAINS_H

#include "lib/table/block.h"
#include "lib/table/index.h"

/* A value of function_at: the nearest beginning of a function at or below the entry's address is that of several.  Then
   look-ups must call rs_parts_find_function_at(). */
enum { RS_CHAINS_MANY_FUNCTIONS = UINT32_MAX };

struct rs_chains {
	const struct rs_block *block;
	const struct rs_index *index;
	/* index in `frames` of an added frame, in which all is unknown.  It is used for "no frame", to save tests */
	uint32_t none;
	/* by rank: the number of the first frame in the entry's chain; `none`: the entry has no chain */
	uint32_t *frame_at;
	/* by rank: 1 + the number of the function that contains the entry's address; 0: none does; or
	   RS_CHAINS_MANY_FUNCTIONS */
	uint32_t *function_at;
	/* the block's frames in the form of rossym.h; but row_rva is the number of the next frame, or RS_BLOCK_NONE */
	struct rossym_frame *frames;
	struct rossym_function *functions; /* the functions that the block lists, for callers (rossym.h) */
};

/* Returns how many look-ups it takes until making the chains of BLOCK saves time.  The index has COUNT entries. */
uint64_t rs_chains_get_break_even(const struct rs_block *block, uint32_t count);

/* Make the chains of BLOCK, which is sound, for the entries of INDEX; both must outlive them.  Returns
   NULL if there is no memory, or if the block has more than two frames or more than two functions for each entry:
   then chains would take too much memory. */
struct rs_chains *rs_chains_make(const struct rs_block *block, const struct rs_index *index);
void rs_chains_free(struct rs_chains *chains);

#endif
