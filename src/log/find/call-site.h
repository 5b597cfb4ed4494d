/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-site.h - the instruction before a return address
 *
 * A return address is the address of the byte after a call.  So an address without a call before it is no return
 * address: it is of another build, or a number that was left on the stack.  This works for i386, x86-64 and ARM64 (also
 * ARM64EC); for other processors the result is CODE_UNKNOWN.
 */
#ifndef LOG_FIND_CALL_SITE_H
#define LOG_FIND_CALL_SITE_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

enum code_before {
	CODE_UNKNOWN, /* the image lacks the bytes before the address; or they are no code, or all 0 */
	CODE_CALL,    /* a call, or a system call: the kernel also returns to the byte after that */
	CODE_NO_CALL,
};

/* Returns whether a call ends at RVA of IMAGE, as far as the bytes of IMAGE show that. */
enum code_before code_classify_before(struct rossym_image *image, uint64_t rva);

/* Returns the target of the direct call that ends at RVA, as an RVA; 0 if no direct call ends there.  Sets *JUMPS to
   whether a jump is at the target, as for a call of an imported function: then the called function is elsewhere. */
uint64_t code_find_call_target(struct rossym_image *image, uint64_t rva, bool *jumps);

enum code_entry {
	NOT_ENTERED,
	ENTERED_AT_FAULT,  /* the processor enters the function at a fault: KiTrap0E, _KiTrap0E, KiPageFault */
	ENTERED_OTHERWISE, /* the processor enters the function at an interrupt or a system call */
};

/* Returns whether the processor itself enters FUNCTION, which may be NULL.  If so, the next outer frame is that of the
   interrupted code, whose address need not be after a call.  KiTrap0EHandler does not count: KiTrap0E calls it. */
enum code_entry code_classify_entry(const char *function);

#endif
