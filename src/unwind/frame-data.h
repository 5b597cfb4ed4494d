/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame-data.h - a step for i386 by the FrameData of a PDB file
 *
 * A small program computes the caller's registers, in postfix notation: "$T0 $ebp 4 + =" assigns ebp + 4 to a variable,
 * and "$eip $T0 ^ =" the word there to eip.  .raSearch is where the return address is, if the function pushes nothing
 * more; else it is above that, where a call of this function precedes it.
 */
#ifndef UNWIND_FRAME_DATA_H
#define UNWIND_FRAME_DATA_H

#include "unwind/unwind.h"

/* Make FRAME, whose place IP is in the image at BASE, that of its caller.  UNWIND_NOWHERE: nothing is known, or it leads
   to no place behind a call. */
enum unwind_result rs_frame_data_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct unwind_frame *frame, bool *proved);

#endif
