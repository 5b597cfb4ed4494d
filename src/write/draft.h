/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * draft.h - the rows, frames and functions of a table that is being made, with numbers of strings in place of strings
 *
 * A reader of debug information fills the draft of a builder (rossym-write.h); rossym_builder_finish() makes the table.
 */
#ifndef RS_DRAFT_H
#define RS_DRAFT_H

#include "write/strings.h"

struct rossym_builder;
struct rossym_built;

/* A frame of an inlined call.  It has the number of the next frame in its chain, which is the frame around it.  Frames
   with equal content and the same next frame are stored once, so chains share their ends.  Number 0 means no frame. */
struct rs_frame {
	uint32_t function, file; /* numbers of strings */
	uint32_t line;
	uint32_t next;	/* number of the next frame, lower than that of this frame; or 0 */
	uint32_t depth; /* how many frames the chain has from this frame on, this frame included */
};

/* All zeros: no frames. */
struct rs_frames {
	struct rs_frame *items; /* number n is items[n - 1] */
	uint32_t count, room;
	struct hash_table table;
};

void rs_frames_clear(struct rs_frames *frames);

/* Add FRAME, unless an equal one exists, and store its number in *RET.  frame.next is 0 or the number of a frame that
   was added before; frame.depth is ignored.  Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many frames or
   a chain of more than RS_CHAIN_MAX. */
int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err);

/* The most frames that debug information can add to an address besides the innermost one: a little less than
   RS_CHAIN_MAX, which is the limit of a table. */
enum { RS_CALLERS_MAX = 500 };

/* Add CALLER as rs_frames_add() does.  But in debug information, calls can be inlined into one another more often than
   a table allows.  If the chain from caller.next on has RS_CALLERS_MAX frames, CALLER replaces its first frame.
   So the direct caller of the innermost function stays, and so do the outermost functions. */
int rs_frames_add_caller(struct rs_frames *frames, struct rs_frame caller, uint32_t *ret, struct rossym_error *err);

struct rs_new_row {
	uint32_t rva;
	uint32_t function, file; /* numbers of strings */
	uint32_t line;
	uint32_t frame; /* number of the first frame of its chain (struct rs_frame), or 0 */
};

/* All zeros: no rows.  Rows may be added in any order; they are sorted by address when the table is made. */
struct rs_rows {
	struct rs_new_row *items;
	uint32_t count, room;
};

/* Add ROW.  Returns 0, or -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED if a table cannot have so many rows. */
int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err);

/* A function that has code of its own; or another name of the code at `rva`, such as an alias. */
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

/* Free all but the strings, which the builder or the caller owns. */
void rs_draft_clear(struct rs_draft *draft);

/* Add FUNCTION.  Returns 0, or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many functions. */
int rs_draft_add_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err);

/* Sort the functions by address, length and name, and remove duplicates. */
void rs_draft_sort_functions(struct rs_draft *draft);

/* Returns the draft of BUILDER, which must still be empty, and makes the draft use the caller's STRINGS: the numbers of
   strings in the draft are those in STRINGS.  If STRINGS is NULL, the draft keeps a string table of its own.  STRINGS
   must outlive the draft.  The function is in build.c. */
struct rs_draft *rs_builder_share_draft(struct rossym_builder *builder, struct rs_string_table *strings);

/* Do what rossym_builder_finish() does; but if SEALED is false, omit the checksums, for a table that is read at once by
   code that does not check them.  The function is in build.c. */
int rs_builder_finish(struct rossym_builder *builder, bool sealed, struct rossym_built *ret, struct rossym_error *err);

#endif
