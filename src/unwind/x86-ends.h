/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-ends.h - what the instructions at the beginning and at the end of an i386 function tell */
#ifndef UNWIND_X86_ENDS_H
#define UNWIND_X86_ENDS_H

#include "unwind/unwind.h"

/* Whether the function at ADDRESS begins with "push ebp; mov ebp, esp". */
bool rs_x86_begins_with_frame(const struct unwind_space *space, uint64_t address);

/* Whether the function that begins at ADDRESS has IP: it is not behind IP, and no end of a function is between them. */
bool rs_x86_is_function(const struct unwind_space *space, uint64_t address, uint64_t ip);

/* Whether the function that has IP may set ebp: "push ebp; mov ebp, esp" is before IP, and no end of a function between them; or
   not so much of the code is known. */
bool rs_x86_sets_pointer(const struct unwind_space *space, uint64_t ip);

/* If FRAME->ip is the next instruction of a function that has no frame yet, or no longer: make FRAME that of its caller,
   and return true.  Else FRAME is unchanged. */
bool rs_x86_ends_run(const struct unwind_space *space, struct unwind_frame *frame);

#endif
