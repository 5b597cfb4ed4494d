/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - the frames of inlined calls while a table is being made
 *
 * Each frame has the number of the next frame in its chain, which is the frame around it.  Frames with equal content
 * and the same next frame are stored once, so chains share their ends.  Numbers begin at 1; 0 means no frame.
 */
#ifndef RS_FRAMES_H
#define RS_FRAMES_H

#include "compat/hash.h"
#include "rossym.h"

struct rs_frame {
	uint32_t function, file; /* numbers of strings */
	uint32_t line;
	uint32_t next;	/* number of the next frame, lower than this one's; or 0 */
	uint32_t depth; /* how many frames the chain has from this one on, this one included */
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

/* How many outer frames an address gets from debug information at most: a table cannot have much longer chains. */
enum { RS_CALLERS_MAX = 500 };

/* As rs_frames_add(), for debug information, where calls may be inlined into one another more often than a table
   allows.  If the chain from caller.next on has RS_CALLERS_MAX frames, CALLER takes the place of its first frame.  So
   the caller of the innermost function stays, and so do the outermost functions. */
int rs_frames_add_caller(struct rs_frames *frames, struct rs_frame caller, uint32_t *ret, struct rossym_error *err);

#endif
