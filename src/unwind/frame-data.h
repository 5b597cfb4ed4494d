/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame-data.h - a step for i386 by the FrameData of a PDB file
 *
 * For each range of code, FrameData has a small program that computes the caller's registers, in postfix notation:
 * "$T0 $ebp 4 + =" assigns ebp + 4 to the variable $T0, and "$eip $T0 ^ =" the word at that address to eip.  The
 * variable .raSearch is the address of the return address, for which we search the stack: it is above the function's
 * locals and saved registers, and above the arguments that the function has pushed for a call of its own.
 */
#ifndef UNWIND_FRAME_DATA_H
#define UNWIND_FRAME_DATA_H

#include "unwind/unwind.h"

/* Replace *FRAME by its caller's frame, which is computed by the FrameData for IP in the image at BASE.  *PROVED is as
   for rs_unwind_x86().  UNWIND_NOWHERE: there is no FrameData for IP, or its program fails, or no call precedes the
   return address that it computes; then FRAME is unchanged. */
enum unwind_result rs_frame_data_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct unwind_frame *frame, bool *proved);

#endif
