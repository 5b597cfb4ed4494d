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

/* A section of an image. */
struct unwind_section {
	uint32_t rva, size;
	uint64_t linked_at; /* absolute addresses in its bytes are those of an image that is loaded here */
};

enum { UNWIND_PROGRAM = 512 }; /* the longest program with its NUL; longer ones are not known */

/* What a PDB file tells about a place in an i386 function: FrameData. */
struct unwind_frame_data {
	uint32_t function; /* RVA of its beginning */
	/* Bytes of local variables, of saved registers, and of the arguments that the caller has pushed. */
	uint32_t locals, saved, params;
	char program[UNWIND_PROGRAM]; /* text that computes the caller's registers; frame-data.h has its language */
};

struct unwind_space {
	/* Read SIZE bytes at the virtual ADDRESS.  False: some of them are not known. */
	bool (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/* The module that has ADDRESS.  False: none has. */
	bool (*module)(void *context, uint64_t address, uint64_t *base, uint32_t *size);
	/* Find the section NAME of the image at BASE.  False: it is not known.  NULL: none is. */
	bool (*section)(void *context, uint64_t base, const char *name, struct unwind_section *section);
	/* Read SIZE bytes of the image at BASE as they are in its file, that is, not relocated. */
	bool (*read_image)(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size);
	/* Find what is known about RVA of the image at BASE.  False: nothing is.  NULL: nothing is ever. */
	bool (*frame_data)(void *context, uint64_t base, uint32_t rva, struct unwind_frame_data *data);
	void *context;
};

/* What the numbers of registers mean: esp, ebp, rsp; and on ARM64. */
enum { UNWIND_SP = 4, UNWIND_BP = 5, UNWIND_ARM64_FP = 29, UNWIND_ARM64_LR, UNWIND_ARM64_SP, UNWIND_REGISTERS };

struct unwind_frame {
	uint64_t ip;
	uint64_t registers
		[UNWIND_REGISTERS]; /* by the numbers that instructions have for them; volatile ones are those of frame 0 */
	bool exact;		    /* ip is the next instruction; else ip is where a call returns to */
	uint32_t arguments;	    /* on i386: bytes that were pushed for this call, as far as it is known */
};

enum unwind_result {
	UNWIND_CALLER,	/* by the unwind information, or from a leaf function */
	UNWIND_POINTER, /* by the frame pointer */
	UNWIND_SCANNED, /* a word of the stack, which stands behind a call */
	UNWIND_END,	/* there is no caller */
	UNWIND_MEMORY,	/* needed memory is not known */
	UNWIND_NOWHERE, /* ip is in no function that is known */
	UNWIND_DAMAGED, /* unwind information or stack make no sense */
};

/* So many words of the stack are at most scanned from frame 0, and from others. */
enum { UNWIND_SCANNED_FIRST = 160, UNWIND_SCANNED_LATER = 40 };

/* Whether RESULT is a frame. */
static inline bool unwind_is_frame(enum unwind_result result)
{
	return result <= UNWIND_SCANNED;
}

/* Make FRAME that of its caller.  *PROVED: the caller's code calls the function of FRAME directly.  FRAME is unchanged
   unless the result is a frame. */
enum unwind_result rs_unwind_x64(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);
enum unwind_result rs_unwind_x86(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);
enum unwind_result rs_unwind_arm64(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);

#endif
