/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - from a frame of a stack to that of its caller
 *
 * All that is known about the process comes through struct unwind_space, and nothing of it is trusted.  A step allocates
 * nothing, has no state but the frame, and ends after a bounded number of reads.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unwind_space {
	/* Read SIZE bytes at the virtual ADDRESS.  False: some of them are not known. */
	bool (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/* The module that has ADDRESS.  False: none has. */
	bool (*module)(void *context, uint64_t address, uint64_t *base, uint32_t *size);
	void *context;
};

enum { UNWIND_RSP = 4 };

struct unwind_frame {
	uint64_t ip;
	uint64_t registers
		[16]; /* by the numbers that x64 instructions have for them; volatile ones are those of frame 0 */
	bool exact;   /* ip is the next instruction; else ip is where a call returns to */
};

enum unwind_result {
	UNWIND_CALLER,	/* by the unwind information, or from a leaf function */
	UNWIND_SCANNED, /* a word of the stack, which stands behind a call */
	UNWIND_END,	/* there is no caller */
	UNWIND_MEMORY,	/* needed memory is not known */
	UNWIND_NOWHERE, /* ip is in no function that is known */
	UNWIND_DAMAGED, /* unwind information or stack make no sense */
};

/* Make FRAME that of its caller, for x64.  *PROVED: the caller's code calls the function of FRAME directly.  FRAME is
   unchanged unless the result is UNWIND_CALLER or UNWIND_SCANNED. */
enum unwind_result unwind_x64(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);

#endif
