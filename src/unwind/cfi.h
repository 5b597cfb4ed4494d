/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - call frame information (CFI), as GCC and Clang leave it in i386 images
 *
 * For each address in a range of code, a small program tells where the caller's registers are: DWARF 2
 * to 5, section 6.4.2.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "unwind/cfi-entry.h"

/* Replace *FRAME by its caller's frame, which the program of ENTRY computes for IP, and return UNWIND_CALLER.  After
   any other result, *FRAME is unchanged.  UNWIND_END: the return address is undefined, so there is no caller.
   UNWIND_DAMAGED: program or rules make no sense.  UNWIND_MEMORY: the stack cannot be read.  The caller's frame is not
   checked: its ip can be 0, and its esp too low. */
enum unwind_result rs_cfi_step(const struct cfi_entry *entry, uint64_t ip, struct unwind_frame *frame);

#endif
