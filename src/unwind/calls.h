/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - finds the call before a return address, for i386, x64 and ARM64
 *
 * x86 instructions can only be decoded forwards: bytes before an address can look like a call, but be the end of
 * another instruction.  On ARM64, data among the code can look like a call.  So the operand of a call must make sense:
 * a direct call must lead to code, and a call through memory must use an address at which a pointer can be.
 */
#ifndef UNWIND_CALLS_H
#define UNWIND_CALLS_H

#include "unwind/unwind.h"

enum { CALL_LENGTH_MAX = 7, CODE_WINDOW = CALL_LENGTH_MAX + 1 };

/* Read the bytes before ADDRESS, at most MOST, so that the last one is at BYTES[CODE_WINDOW - 1].  Returns how many
   were read. */
size_t rs_unwind_read_bytes_before(const struct unwind_space *space, uint64_t address, size_t most,
				   uint8_t bytes[CODE_WINDOW]);

/* Whether the bytes before ADDRESS, of which at most MOST are read, end with a call.  Stores in *TARGET the address to
   which the call goes; 0: the call is indirect, or there is none. */
bool rs_unwind_find_call(const struct unwind_space *space, uint64_t address, size_t most, uint64_t *target);

/* Whether the bytes before ADDRESS end with a call, direct or indirect.  False if these bytes cannot be read. */
bool rs_unwind_is_after_call(const struct unwind_space *space, uint64_t address);

/* Whether the byte before ADDRESS can be read, and no call ends at ADDRESS. */
bool rs_unwind_is_after_no_call(const struct unwind_space *space, uint64_t address);

/* Returns the target of the direct call that ends at ADDRESS; 0: no direct call ends there. */
uint64_t rs_unwind_find_call_target(const struct unwind_space *space, uint64_t address);

/* Whether the code at ADDRESS is a jump.  A call of an imported function, or a call in an image that was linked
   incrementally, often goes to a jump to the function. */
bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address);

/* Whether a direct call of TARGET ends at ADDRESS.  False if TARGET is 0. */
bool rs_unwind_is_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target);

#endif
