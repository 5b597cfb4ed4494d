/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * call-site.h - what the code of an image has before a return address
 *
 * A return address is the byte after a call, so an address without a call before it is none: it is of another build, or
 * a number that was left on the stack.  Of i386 and x86-64 only; of other processors nothing is known.
 */
#ifndef LOG_FIND_CALL_SITE_H
#define LOG_FIND_CALL_SITE_H

#include "rossym.h"

#include <stdbool.h>
#include <stdint.h>

enum code_before {
	CODE_UNKNOWN, /* the image does not have these bytes, or they are no code */
	CODE_CALL,    /* a call; or an instruction that enters the kernel, after which it returns, too */
	CODE_NO_CALL,
};

/* What is before RVA in IMAGE. */
enum code_before code_before(struct rossym_image *image, uint64_t rva);

/* Where the direct call goes to that ends at RVA: an RVA; 0: none does.  *JUMPS: there is a jump, as of a call through
   an import. */
uint64_t code_call_target(struct rossym_image *image, uint64_t rva, bool *jumps);

/* Whether the processor enters FUNCTION, which may be NULL, at a fault: KiTrap0E, _KiTrap0E, KiPageFault.  These call
   functions such as KiTrap0EHandler, which have callers as others do. */
bool code_is_trap(const char *function);

/* Whether the processor enters FUNCTION at a fault, an interrupt or a system call: the caller's frame need not be after
   a call. */
bool code_is_entered(const char *function);

#endif
