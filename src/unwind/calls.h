/* SPDX-License-Identifier: GPL-2.0-or-later */
/* calls.h - the call before a return address */
#ifndef UNWIND_CALLS_H
#define UNWIND_CALLS_H

#include "unwind/unwind.h"

/* Whether the bytes before ADDRESS end with a call, direct or indirect.  False, too, if they cannot be read. */
bool rs_unwind_after_call(const struct unwind_space *space, uint64_t address);

/* Whether the byte before ADDRESS can be read, but no call ends at ADDRESS. */
bool rs_unwind_after_no_call(const struct unwind_space *space, uint64_t address);

/* Returns the target of the direct call that ends at ADDRESS; 0: none does, or its target is in no module. */
uint64_t rs_unwind_call_target(const struct unwind_space *space, uint64_t address);

/* Whether the code at ADDRESS is a jump: calls of imported functions, and those of images that were linked
   incrementally, go to a jump first. */
bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address);

/* Whether a direct call of TARGET ends at ADDRESS.  False, too, if TARGET is 0. */
bool rs_unwind_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target);

#endif
