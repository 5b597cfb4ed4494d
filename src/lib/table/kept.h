/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - the answers for the addresses that were looked up, as long as the image has no table in memory
 *
 * The answers come from a packed table, which is read in place; or from tables that were made of debug information for
 * these addresses.  Each answer has its frames and its function.  All of this stays until the image is closed, because
 * callers have pointers to the strings.
 */
#ifndef RS_KEPT_H
#define RS_KEPT_H

#include "core/core.h"
#include "lib/base/details.h"
#include "rossym.h"

#include <stdbool.h>

struct rs_kept_answer {
	uint32_t rva;
	uint32_t first, frame_count;	 /* its frames in `frames`, innermost first; none: nothing is known of RVA */
	struct rossym_frame frame;	 /* what look-ups return */
	struct rossym_function function; /* the function that contains RVA; its name is NULL if none does */
	const struct rs_details *details;
};

/* A table that was made for look-ups: SIZE bytes, unless TABLE is NULL. */
struct rs_made {
	uint8_t *table;
	size_t size;
	bool whole;		    /* it is for all addresses */
	struct rs_details *details; /* NULL, or what rossym_symbolize() gives besides the table */
};

/* What one call of rs_kept_add() has added. */
struct rs_kept_batch {
	struct rs_kept_text *texts;
	uint32_t text_count, text_room;
	struct rs_made made;
};

struct rs_kept {
	struct rs_kept_answer *answers; /* ascending */
	struct rossym_frame *frames;
	struct rs_kept_batch *batches;
	uint32_t count, room, frame_count, frame_room, batch_count, batch_room;
	size_t bytes; /* of all tables and strings */
};

/* Add the answers of CORE, whose table may be packed, for the COUNT addresses RVAS, which ascend and of which KEPT has
   none.  WHOLE_STRINGS: look-ups return whole strings in place of cut ones.  MADE has the table of CORE.  Returns 0:
   then KEPT owns MADE; 1 if the answers would take too long, because of many rows without an answer before an address
   or many functions at one address; or -1. */
int rs_kept_add(struct rs_kept *kept, const struct rossym_core *core, bool whole_strings, const struct rs_made *made,
		const uint32_t *rvas, uint32_t count, struct rossym_error *err);
void rs_kept_clear(struct rs_kept *kept);

/* Returns what is known of RVA; NULL if RVA was not looked up. */
const struct rs_kept_answer *rs_kept_answer_at(const struct rs_kept *kept, uint64_t rva);

/* Returns the answer that look-ups have returned as FRAME; NULL if there is none. */
const struct rs_kept_answer *rs_kept_answer_of_frame(const struct rs_kept *kept, const struct rossym_frame *frame);

#endif
