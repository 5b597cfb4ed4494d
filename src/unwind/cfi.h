/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi.h - call frame information (CFI), as GCC and Clang leave it in i386 images
 *
 * For each address in a range of code, a small program tells where the caller's registers are: DWARF 2 to 5, 6.4.2.
 */
#ifndef UNWIND_CFI_H
#define UNWIND_CFI_H

#include "unwind/cfi-entry.h"

/* Make FRAME, whose place IP is in ENTRY, that of its caller.  Nothing is checked but that all can be read. */
enum unwind_result rs_cfi_step(const struct cfi_entry *entry, uint64_t ip, struct unwind_frame *frame);

#endif
