/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frames.h - the frames of inlined calls while a table is being made
 *
 * A frame and those around it make a chain.  Chains that end in the same frames share them, so that equal frames with
 * equal rests are one frame, with one number.  Numbers begin at 1; 0 is no frame.
 */
#ifndef RS_FRAMES_H
#define RS_FRAMES_H

#include "rossym.h"

struct rs_frame {
	uint32_t function, file;	/* numbers of strings */
	uint32_t line;
	uint32_t next;			/* the number of the next frame of the chain, lower than this one's; or 0 */
	uint32_t depth;			/* how many frames the chain has */
};

/* All zeros: none. */
struct rs_frames {
	struct rs_frame *items;		/* number n is items[n - 1] */
	uint32_t count, room;
	uint32_t *slots;		/* a number, or 0 */
	uint32_t slot_count;
};

void rs_frames_clear(struct rs_frames *frames);

/* The number of FRAME, whose depth is not looked at and whose next is 0 or a number. */
int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err);

#endif
