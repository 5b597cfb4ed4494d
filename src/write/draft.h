/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draft.h - what a table will say: rows, frames and functions, with numbers for their strings
 *
 * A reader of debug information fills the draft of a builder.  rossym_builder_finish() makes the bytes.
 */
#ifndef RS_DRAFT_H
#define RS_DRAFT_H

#include "write/frames.h"
#include "write/new-rows.h"

struct rossym_builder;

struct rs_new_function { /* an out-of-line function; or, with the length 0, another name of the code at RVA */
	uint32_t rva, length;
	uint32_t name; /* number of a string */
};

struct rs_draft {
	struct rs_string_table *strings;
	struct rs_rows rows;
	struct rs_frames frames;
	struct rs_new_function *functions;
	uint32_t function_count, function_room;
};

/* Frees all but the strings. */
void rs_draft_clear(struct rs_draft *draft);

/* Add FUNCTION.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many. */
int rs_draft_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err);

/* Sort the functions by address, length and name, and keep one of equal ones. */
void rs_draft_sort_functions(struct rs_draft *draft);

/* build.c: the draft of BUILDER, which is still empty.  STRINGS: those that it shall use, which must stay as long as the
   builder; NULL: its own. */
struct rs_draft *rs_builder_draft(struct rossym_builder *builder, struct rs_string_table *strings);

#endif
