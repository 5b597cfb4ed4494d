/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unwind.h - one step of a stack walk: from a frame to the frame of its caller
 *
 * All data about the process come through struct unwind_space, and none of them are trusted.  A dump lacks some memory,
 * so each read can fail.  A step allocates nothing, has no state but the frame, and ends after a bounded number of
 * reads.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "core/bytes.h"
#include "rossym-unwind.h"

#include <stdbool.h>
#include <string.h>

/* How to read the process.  The functions are those of struct rossym_unwind_space: they return 1, or 0 if they fail;
   `section` and `frame_data` may be NULL.  A program from `frame_data` that has no NUL at its end is ignored. */
struct unwind_space {
	int (*read)(void *context, uint64_t address, void *bytes, size_t size);
	int (*module)(void *context, uint64_t address, uint64_t *base, uint32_t *size);
	int (*section)(void *context, uint64_t base, const char *name, struct rossym_unwind_section *section);
	int (*read_image)(void *context, uint64_t base, uint32_t rva, void *bytes, size_t size);
	int (*frame_data)(void *context, uint64_t base, uint32_t rva, struct rossym_unwind_frame_data *data);
	void *context;
	/* Whether code can be at ADDRESS.  NULL: it can be wherever a module is. */
	bool (*code)(void *context, uint64_t address);
	/* The machine to assume for images whose headers cannot be read; rs_unwind_step() sets it in its own copy. */
	unsigned machine;
};

enum { UNWIND_I386 = 0x14c, UNWIND_AMD64 = 0x8664, UNWIND_ARM64 = 0xaa64 };

/* Indices in registers[]: the stack pointer and frame pointer of i386 and x64, and registers of ARM64. */
enum { UNWIND_SP = 4, UNWIND_BP = 5, UNWIND_ARM64_FP = 29, UNWIND_ARM64_LR, UNWIND_ARM64_SP };

/* How a step has found the caller, or why not: the numbers of enum rossym_unwound (rossym-unwind.h). */
enum unwind_result {
	UNWIND_CALLER = ROSSYM_UNWOUND_INFO,
	UNWIND_POINTER = ROSSYM_UNWOUND_POINTER,
	UNWIND_SCANNED = ROSSYM_UNWOUND_SCANNED,
	UNWIND_END = ROSSYM_UNWOUND_END,
	UNWIND_MEMORY = ROSSYM_UNWOUND_MEMORY,
	UNWIND_NOWHERE = ROSSYM_UNWOUND_NOWHERE,
	UNWIND_DAMAGED = ROSSYM_UNWOUND_DAMAGED,
};

/* The most words of the stack that a step scans: FIRST from a frame whose `exact` is 1, LATER from any other. */
enum { UNWIND_SCANNED_FIRST = 160, UNWIND_SCANNED_LATER = 40 };

/* Read SIZE bytes at ADDRESS.  A function of SPACE has succeeded only if it returns a positive number. */
static inline bool unwind_read(const struct unwind_space *space, uint64_t address, void *bytes, size_t size)
{
	return space->read(space->context, address, bytes, size) > 0;
}

/* Read SIZE bytes of code at ADDRESS, or as many as can be read; the other bytes become zeros. */
static inline void unwind_read_code(const struct unwind_space *space, uint64_t address, uint8_t *code, size_t size)
{
	size_t count = size;
	while (count > 0 && !unwind_read(space, address, code, count))
		count--;
	memset(code + count, 0, size - count);
}

/* Read the number of SIZE bytes, at most 8, at the virtual ADDRESS.  False: it cannot be read. */
static inline bool unwind_read_number(const struct unwind_space *space, uint64_t address, size_t size, uint64_t *number)
{
	uint8_t bytes[8] = { 0 };
	if (!unwind_read(space, address, bytes, size))
		return false;
	*number = rs_le64(bytes);
	return true;
}

/* As unwind_read_number(), for a number of 32 bits. */
static inline bool unwind_read_word(const struct unwind_space *space, uint64_t address, uint32_t *word)
{
	uint64_t number;
	if (!unwind_read_number(space, address, sizeof *word, &number))
		return false;
	*word = (uint32_t)number;
	return true;
}

/* Pop the number of SIZE bytes, at most 8, from the stack of FRAME.  False: it cannot be read. */
static inline bool unwind_pop_number(const struct unwind_space *space, struct rossym_unwind_frame *frame, size_t size,
				     uint64_t *number)
{
	if (!unwind_read_number(space, frame->registers[UNWIND_SP], size, number))
		return false;
	frame->registers[UNWIND_SP] += size;
	return true;
}

static inline bool unwind_is_in_module(const struct unwind_space *space, uint64_t address)
{
	uint64_t base;
	uint32_t size;
	return space->module(space->context, address, &base, &size) > 0;
}

/* Returns ADDRESS, of ARM64, without its pointer authentication code: the upper 16 bits get the value of bit 55. */
static inline uint64_t unwind_strip_signature(uint64_t address)
{
	const uint64_t unused = (uint64_t)0xffff << 48;
	return address >> 55 & 1 ? address | unused : address & ~unused;
}

static inline bool unwind_found_caller(enum unwind_result result)
{
	return result <= UNWIND_SCANNED;
}

/* Replace *FRAME by the frame of its caller, and return how the caller was found.  If no caller was found, *FRAME is
   unchanged, and the result is the reason.  frame->machine is the machine of the frame's code; frame->size and
   frame->how are not used. */
enum unwind_result rs_unwind_step(const struct unwind_space *space, struct rossym_unwind_frame *frame);

/* Make the step of rs_unwind_step() for one machine.  IP is an address in the image at BASE: of the instruction that
   FRAME has reached, or in the call that FRAME has made.  Even a step that finds no caller may change *FRAME.
   frame->proved is 0 before the step, and becomes 1 only if unwind data has shown the caller, and the instruction
   before the return address is a direct call of the function that *FRAME was in. */
enum unwind_result rs_unwind_step_x64(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame);
enum unwind_result rs_unwind_step_x86(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame);
enum unwind_result rs_unwind_step_arm64(const struct unwind_space *space, uint64_t base, uint64_t ip,
					struct rossym_unwind_frame *frame);

/* Two methods of rs_unwind_step_x86() for IP in the image at BASE: by CFI, and by FrameData.  UNWIND_NOWHERE: there are
   no such data for IP; or the program of the FrameData fails, or computes an address that no call precedes. */
enum unwind_result rs_cfi_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
			       struct rossym_unwind_frame *frame);
enum unwind_result rs_frame_data_step(const struct unwind_space *space, uint64_t base, uint64_t ip,
				      struct rossym_unwind_frame *frame);

#endif
