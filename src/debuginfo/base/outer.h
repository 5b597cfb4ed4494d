/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * outer.h - outer frames, each once
 *
 * A reader makes the frames of a chain from the outermost on.  So each frame gets the number of its caller's frame, and
 * calls that are inlined in the same place share one chain.
 */
#ifndef DEBUGINFO_BASE_OUTER_H
#define DEBUGINFO_BASE_OUTER_H

#include "debuginfo/base/reading.h"

/* The most outer frames of a row: readers of the table refuse longer chains. */
enum { OUTER_MOST = 500 };

/* Store in *RET the number of FRAME, which is added if it is new.  Returns 0; or -1 after storing an error. */
int outer_frame(struct reading *reading, const struct debuginfo_frame *frame, uint32_t *ret);

#endif
