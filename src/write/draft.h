/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draft.h - the rows, frames and functions of a table that is being made, with numbers of strings in place of strings
 *
 * A reader of debug information fills the draft of a builder.  rossym_builder_finish() makes the bytes of the table.
 */
#ifndef RS_DRAFT_H
#define RS_DRAFT_H

#include "write/frames.h"
#include "write/strings.h"

struct rossym_builder;

struct rs_new_row {
	uint32_t rva;
	uint32_t function, file; /* numbers of strings */
	uint32_t line;
	uint32_t frame; /* number of the first frame of its chain (frames.h), or 0 */
};

/* All zeros: no rows.  They are added in any order, and sorted by address when they are written. */
struct rs_rows {
	struct rs_new_row *items;
	uint32_t count, room;
};

/* Add ROW.  Returns 0, or -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED if a table cannot have so many. */
int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err);

/* A function that has code of its own; or another name of the code at RVA, such as an alias. */
struct rs_new_function {
	uint32_t rva;
	uint32_t length; /* bytes; 0 for another name */
	uint32_t name;	 /* number of a string */
};

struct rs_draft {
	struct rs_string_table *strings;
	struct rs_rows rows;
	struct rs_frames frames;
	struct rs_new_function *functions;
	uint32_t function_count, function_room;
};

/* Frees all but the strings, which the builder or the caller owns. */
void rs_draft_clear(struct rs_draft *draft);

/* Add FUNCTION.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many. */
int rs_draft_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err);

/* Sort the functions by address, length and name, and keep one of equal ones. */
void rs_draft_sort_functions(struct rs_draft *draft);

/* build.c: returns the draft of BUILDER, to which nothing has been added.  From now on BUILDER adds strings to STRINGS,
   which must outlive it; if STRINGS is NULL, to a table of its own. */
struct rs_draft *rs_builder_draft(struct rossym_builder *builder, struct rs_string_table *strings);

#endif
