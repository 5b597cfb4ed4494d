/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-steps.h - the functions of frame-data.c, cfi-entry.c and cfi.c, by which x86.c makes a step on i386 */
#ifndef UNWIND_X86_STEPS_H
#define UNWIND_X86_STEPS_H

#include "unwind/unwind.h"

/* ------------------------------------------------------------------------------------ frame-data.c */

/* Replace *FRAME by its caller's frame, which is computed by the FrameData for IP in the image at BASE.  frame->proved
   is as for rs_unwind_step_x86().  UNWIND_NOWHERE: there is no FrameData for IP, or its program fails, or no call
   precedes the return address that the program computes; then *FRAME is unchanged. */
enum unwind_result rs_frame_data_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame);

/* ------------------------------------------------------------------------------------ cfi-entry.c */

/* The bytes of a section of an image that are still to be read, from AT to END. */
struct cfi_cursor {
	const struct unwind_space *space;
	uint64_t base;	  /* of the image */
	uint64_t slide;	  /* load address minus image base at link time: add it to absolute addresses in the section */
	uint32_t at, end; /* RVAs */
	bool bad;	  /* a read has failed, or data make no sense; it stays true */
};

/* Read SIZE bytes.  False, and cursor->bad is set: fewer bytes are left, or they cannot be read.  The next four
   functions set cursor->bad in these cases, too; those that read a number then return 0. */
bool rs_cfi_read_bytes(struct cfi_cursor *cursor, void *bytes, uint32_t size);
void rs_cfi_skip(struct cfi_cursor *cursor, uint64_t size);

uint64_t rs_cfi_read_unsigned(struct cfi_cursor *cursor, unsigned size); /* SIZE is 1 to 8 */
uint64_t rs_cfi_read_uleb(struct cfi_cursor *cursor);			 /* a number of at most 63 bits */
int64_t rs_cfi_read_sleb(struct cfi_cursor *cursor);

enum { CFI_REGISTERS = 9, CFI_RETURN = 8 }; /* eax to edi, as instructions number them, and the return address */

/* An entry for a range of code, with its CIE. */
struct cfi_entry {
	uint64_t begin, end;		    /* virtual addresses */
	struct cfi_cursor initial, program; /* the instructions of the CIE, which are run first, and of the FDE */
	uint64_t code_align;		    /* the factor of operands that advance the location */
	int64_t data_align;		    /* the factor of operands that are offsets */
	bool signal; /* the frame is of a signal handler's trampoline: its caller was interrupted, and made no call */
};

/* Find the entry (FDE) for IP in the image at BASE.  False: there is none that can be read. */
bool rs_cfi_find_entry(const struct unwind_space *space, uint64_t base, uint64_t ip, struct cfi_entry *entry);

/* ------------------------------------------------------------------------------------------- cfi.c */

/* Replace *FRAME by its caller's frame, which the program of ENTRY computes for IP, and return UNWIND_CALLER.  After
   any other result, *FRAME is unchanged.  UNWIND_END: the return address is undefined, so there is no caller.
   UNWIND_DAMAGED: the program or its rules make no sense.  UNWIND_MEMORY: the stack cannot be read.  The caller's frame
   is not checked: its ip can be 0, and its esp too low. */
enum unwind_result rs_cfi_step(const struct cfi_entry *entry, uint64_t ip, struct rossym_unwind_frame *frame);

#endif
