/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - finds the call before a return address, for i386, x64 and ARM64
 *
 * x86 instructions have different lengths and can only be decoded forwards.  Read backwards, the last bytes of another
 * instruction can look like a call; and data among ARM64's code can do so, too.  So the operand of a call must make
 * sense: a direct call must lead to code, and a call through memory must use an address at which a pointer can be.
 */
#ifndef UNWIND_CALLS_H
#define UNWIND_CALLS_H

#include "unwind/unwind.h"

enum { CALL_LENGTH_MAX = 7, CODE_WINDOW = CALL_LENGTH_MAX + 1 };

/* Read the bytes before ADDRESS, at most MOST of them, so that the last one is at BYTES[CODE_WINDOW - 1].  Returns how
   many there are. */
size_t rs_unwind_read_before(const struct unwind_space *space, uint64_t address, size_t most,
			     uint8_t bytes[CODE_WINDOW]);

/* Whether the bytes before ADDRESS end with a call.  At most MOST of these bytes are read.  Stores the call's *TARGET
   if it is a direct call, else 0. */
bool rs_unwind_find_call(const struct unwind_space *space, uint64_t address, size_t most, uint64_t *target);

/* Whether the bytes before ADDRESS end with a call, direct or indirect.  False, too, if they cannot be read. */
bool rs_unwind_is_after_call(const struct unwind_space *space, uint64_t address);

/* Whether the byte before ADDRESS can be read, but no call ends at ADDRESS. */
bool rs_unwind_is_after_no_call(const struct unwind_space *space, uint64_t address);

/* Returns the target of the direct call that ends at ADDRESS; 0: none does. */
uint64_t rs_unwind_call_target(const struct unwind_space *space, uint64_t address);

/* Whether the code at ADDRESS is a jump.  Calls of imported functions, and calls in images that were linked
   incrementally, go to a jump first. */
bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address);

/* Whether a direct call of TARGET ends at ADDRESS.  False, too, if TARGET is 0. */
bool rs_unwind_is_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target);

#endif
