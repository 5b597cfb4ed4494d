/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-ends.h - the first and the last instructions of an i386 function, which tell where its return address is */
#ifndef UNWIND_X86_ENDS_H
#define UNWIND_X86_ENDS_H

#include "unwind/unwind.h"

/* If FRAME->ip is the next instruction of a function that has no frame yet, or no longer: make FRAME that of its caller,
   and return true.  Else FRAME is unchanged. */
bool x86_ends_run(const struct unwind_space *space, struct unwind_frame *frame);

#endif
