/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - one step of a stack walk: from a frame to the frame of its caller
 *
 * All that is known about the process comes through struct unwind_space, and nothing of it is trusted.  A dump lacks
 * some memory, so each read can fail.  A step allocates nothing, has no state but the frame, and ends after a bounded
 * number of reads.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "core/bytes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section of an image. */
struct unwind_section {
	uint32_t rva, size;
	uint64_t linked_at; /* image base that the absolute addresses in the section's bytes assume */
};

enum { UNWIND_PROGRAM = 512 }; /* bytes of the longest program with its NUL; longer ones are ignored */

/* What a PDB file's FrameData says about an address in an i386 function. */
struct unwind_frame_data {
	uint32_t function; /* RVA of the function's beginning */
	/* Bytes on the stack: local variables, saved registers, and the arguments that the caller has pushed. */
	uint32_t locals, saved, params;
	char program[UNWIND_PROGRAM]; /* computes the caller's registers; frame-data.c describes the language */
};

/* How to read the process: functions that the caller supplies, and that get CONTEXT. */
struct unwind_space {
	/* Read SIZE bytes at the virtual ADDRESS.  False: some of them cannot be read, for instance because
	   the dump lacks them. */
	bool (*read)(void *context, uint64_t address, void *bytes, size_t size);
	/* Find the module that contains ADDRESS, its base and its size in bytes.  False: no module does. */
	bool (*module)(void *context, uint64_t address, uint64_t *base, uint32_t *size);
	/* Find the section NAME of the image at BASE.  False: it is unknown.  `section` may be NULL:
	   no section is known. */
	bool (*section)(void *context, uint64_t base, const char *name, struct unwind_section *section);
	/* Read SIZE bytes at RVA of the image at BASE as they are in its file, before relocation.  False: some of them
	   cannot be read. */
	bool (*read_image)(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size);
	/* Find the FrameData for RVA of the image at BASE.  False: there is none.  `frame_data` may be NULL, if no
	   image has FrameData. */
	bool (*frame_data)(void *context, uint64_t base, uint32_t rva, struct unwind_frame_data *data);
	void *context;
	/* Whether code can be at ADDRESS.  NULL: it can be wherever a module is. */
	bool (*code)(void *context, uint64_t address);
	/* The machine of code in images whose headers cannot be read; a step sets it in a copy of the space. */
	unsigned machine;
};

enum { UNWIND_I386 = 0x14c, UNWIND_AMD64 = 0x8664, UNWIND_ARM64 = 0xaa64 };

/* Indices in registers[]: the stack pointer and frame pointer of i386 and x64, and registers of ARM64. */
enum { UNWIND_SP = 4, UNWIND_BP = 5, UNWIND_ARM64_FP = 29, UNWIND_ARM64_LR, UNWIND_ARM64_SP, UNWIND_REGISTERS };

struct unwind_frame {
	uint64_t ip;
	/* Indexed by the numbers that instructions encode.  A step restores callee-saved registers; the others keep the
	   values of frame 0. */
	uint64_t registers[UNWIND_REGISTERS];
	bool exact;	    /* ip is the next instruction to run; else it is a return address, right after a call */
	uint32_t arguments; /* i386: bytes of arguments pushed for the callee of this frame; 0: unknown */
};

enum unwind_result {
	UNWIND_CALLER,	/* found by unwind information, by instructions, by an exception's CONTEXT, or from a leaf */
	UNWIND_POINTER, /* found by the frame pointer */
	UNWIND_SCANNED, /* a guess: a word of the stack (ARM64: lr) that is an address right after a call */
	UNWIND_END,	/* there is no caller */
	UNWIND_MEMORY,	/* memory that the step needs cannot be read */
	UNWIND_NOWHERE, /* there is no unwind information for ip, and nothing else shows the caller */
	UNWIND_DAMAGED, /* unwind information or the stack makes no sense */
};

/* How many words of the stack are scanned at most: from a frame that is exact, such as frame 0, and from others. */
enum { UNWIND_SCANNED_FIRST = 160, UNWIND_SCANNED_LATER = 40 };

/* Read the 32-bit word at the virtual ADDRESS.  False: it cannot be read. */
static inline bool unwind_word(const struct unwind_space *space, uint64_t address, uint32_t *word)
{
	uint8_t bytes[4];
	if (!space->read(space->context, address, bytes, sizeof bytes))
		return false;
	*word = rs_le32(bytes);
	return true;
}

static inline bool unwind_is_in_module(const struct unwind_space *space, uint64_t address)
{
	uint64_t base;
	uint32_t size;
	return space->module(space->context, address, &base, &size);
}

/* Whether a step with RESULT has found a caller. */
static inline bool unwind_is_frame(enum unwind_result result)
{
	return result <= UNWIND_SCANNED;
}

/* Replace *FRAME by the frame of its caller, and return how that was found.  If it was not found, *FRAME is unchanged,
   and the result says why.  *PROVED becomes true only if unwind data has shown the caller, and the instruction before
   the return address is a direct call of the function that *FRAME was in; else false. */
enum unwind_result rs_unwind_x64(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);
enum unwind_result rs_unwind_x86(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);
enum unwind_result rs_unwind_arm64(const struct unwind_space *space, struct unwind_frame *frame, bool *proved);

#endif
