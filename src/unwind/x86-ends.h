/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-ends.h - what the instructions at the beginning and at the end of an i386 function tell */
#ifndef UNWIND_X86_ENDS_H
#define UNWIND_X86_ENDS_H

#include "unwind/unwind.h"

/* Whether the function at ADDRESS begins with "push ebp; mov ebp, esp". */
bool rs_x86_begins_with_frame(const struct unwind_space *space, uint64_t address);

/* Whether the function that begins at ADDRESS contains IP: IP is at ADDRESS or up to 64 KiB above, and no function ends
   between them.  False, too, if code between them cannot be read. */
bool rs_x86_is_function(const struct unwind_space *space, uint64_t address, uint64_t ip);

/* Whether the function that contains IP may have set ebp: "push ebp; mov ebp, esp" is up to 64 KiB below IP, and no
   function ends between them.  True, too, if code cannot be read before either is found. */
bool rs_x86_sets_pointer(const struct unwind_space *space, uint64_t ip);

/* If FRAME->ip is among the instructions that set up a function's frame, undo those that have run.  If it is among
   those that free the frame, run the rest.  Then FRAME is the caller's frame; returns true.
   False: FRAME is unchanged. */
bool rs_x86_ends_run(const struct unwind_space *space, struct unwind_frame *frame);

#endif
