/* SPDX-License-Identifier: GPL-2.0-or-later */
/* epilog.h - runs what is left of the epilog of an x64 function */
#ifndef UNWIND_EPILOG_H
#define UNWIND_EPILOG_H

#include "unwind/pdata.h"

/* If FRAME->ip is in an epilog of the function of ENTRY, of the image at BASE, run what is left of the epilog on FRAME,
   without its last instruction, and return true: rsp then points to the return address.  Else return false; FRAME is
   unchanged.  An epilog may add to rsp or set it by lea, and may pop registers; its last instruction returns or jumps
   to another function. */
bool rs_epilog_run(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
		   struct unwind_frame *frame);

#endif
