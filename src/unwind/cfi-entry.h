/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfi-entry.h - the entries of .eh_frame and .debug_frame
 *
 * Each range of code has an entry (FDE).  What several FDEs share is in another entry (CIE).  DWARF 2 to 5, section
 * 6.4.1; for .eh_frame: the Linux Standard Base, section 10.6.
 */
#ifndef UNWIND_CFI_ENTRY_H
#define UNWIND_CFI_ENTRY_H

#include "unwind/cfi-cursor.h"

enum { CFI_REGISTERS = 9, CFI_RETURN = 8 }; /* eax to edi, as instructions number them, and the return address */

/* An entry for a range of code, with its CIE. */
struct cfi_entry {
	uint64_t begin, end;		    /* virtual addresses */
	struct cfi_cursor initial, program; /* the instructions of the CIE, and then those of the FDE */
	uint64_t code_align;		    /* factors of the instructions' operands */
	int64_t data_align;
	bool signal; /* the frame is of a signal handler's trampoline: its caller was interrupted, and made no call */
};

/* Find the FDE for IP in the image at BASE.  False: there is none that can be read. */
bool rs_cfi_find(const struct unwind_space *space, uint64_t base, uint64_t ip, struct cfi_entry *entry);

#endif
