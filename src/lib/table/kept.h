/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept.h - keeps the answers for the addresses that were looked up, as long as the image has no table in memory
 *
 * The answers come from a packed table, which is read in place; or from tables that were made of debug information for
 * these addresses.  Each answer has its frames and its function.  Answers and tables stay until the image is closed,
 * because callers have pointers to the strings.
 */
#ifndef RS_KEPT_H
#define RS_KEPT_H

#include "core/core.h"
#include "lib/base/details.h"
#include "rossym.h"

#include <stdbool.h>

struct rs_kept_answer {
	uint32_t rva;
	uint32_t first, frame_count;	  /* its frames in kept->frames, innermost first; 0 frames: unknown */
	struct rossym_frame frame;	  /* what rossym_lookup() returns: the frame of the row */
	struct rossym_function function;  /* the function that contains `rva`; its name is NULL if none does */
	const struct rs_details *details; /* of the table that has the answer; or NULL */
};

/* A table that was made for look-ups, of `size` bytes.  `table` is NULL if a packed table is read in place. */
struct rs_made {
	uint8_t *table;
	size_t size;
	uint32_t rows;		    /* how many `table` has, if it was made of debug information */
	bool whole;		    /* `table` is for all addresses, not only for some */
	struct rs_details *details; /* of the table, for rossym_symbolize(); or NULL */
};

void rs_made_clear(struct rs_made *made);

/* What one call of rs_kept_add_answers() has added. */
struct rs_kept_batch {
	struct rs_kept_text *texts;
	uint32_t text_count, text_room;
	struct rs_made made;
};

struct rs_kept {
	struct rs_kept_answer *answers; /* ascending by `rva` */
	struct rossym_frame *frames;
	struct rs_kept_batch *batches;
	uint32_t count, room, frame_count, frame_room, batch_count, batch_room;
	size_t bytes; /* of all tables and strings */
};

/* Add the answers of CORE, whose table may be packed, for the COUNT addresses RVAS.  RVAS must ascend, and KEPT must
   have no answers for them yet.  WHOLE_STRINGS: look-ups return whole strings in place of cut ones.  MADE is the memory
   of CORE's table.  Returns 0, and then KEPT owns MADE; 1 if finding the answers would take too long, because before an
   address there are many rows without an answer, or because there are many frames or functions; or -1. */
int rs_kept_add_answers(struct rs_kept *kept, const struct rossym_core *core, bool whole_strings,
			const struct rs_made *made, const uint32_t *rvas, uint32_t count, struct rossym_error *err);
void rs_kept_clear(struct rs_kept *kept);

/* Returns the answer for RVA; NULL if rs_kept_add_answers() has added none. */
const struct rs_kept_answer *rs_kept_find_answer(const struct rs_kept *kept, uint64_t rva);

/* Returns an answer that a look-up has returned as FRAME; NULL if there is none. */
const struct rs_kept_answer *rs_kept_find_answer_of_frame(const struct rs_kept *kept, const struct rossym_frame *frame);

#endif
