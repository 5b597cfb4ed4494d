// SPDX-License-Identifier: GPL-2.0-or-later
/* x86-ends.c - what the instructions at the beginning and at the end of an i386 function tell */
#include "config.h"
#include "unwind/x86-steps.h"
#include "core/bytes.h"

#include <string.h>

enum {
	PROLOG_LENGTH_MAX = 5, /* bytes of "mov edi, edi; push ebp; mov ebp, esp" */
	INSTRUCTIONS_MAX = 8,  /* of an epilog */
};

static bool pop_value(const struct unwind_space *space, struct unwind_frame *frame, uint64_t *value)
{
	uint8_t bytes[4];
	if (!space->read(space->context, frame->registers[UNWIND_SP], bytes, sizeof bytes))
		return false;
	frame->registers[UNWIND_SP] += sizeof bytes;
	*value = rs_le32(bytes);
	return true;
}

static bool is_mov_ebp_esp(const uint8_t *code)
{
	return (code[0] == 0x8b && code[1] == 0xec) || (code[0] == 0x89 && code[1] == 0xe5);
}

/* Returns the offset of the push if CODE is "push ebp; mov ebp, esp": 2 if "mov edi, edi", which leaves room for a hot
   patch, comes first; else 0.  Returns -1 for other code. */
static int find_push(const uint8_t *code)
{
	const int patch = code[0] == 0x8b && code[1] == 0xff ? 2 : 0;
	return code[patch] == 0x55 && is_mov_ebp_esp(code + patch + 1) ? patch : -1;
}

bool rs_x86_begins_with_frame(const struct unwind_space *space, uint64_t address)
{
	uint8_t code[PROLOG_LENGTH_MAX] = { 0 };
	return space->read(space->context, address, code, sizeof code) && find_push(code) >= 0;
}

/* Whether CODE, the bytes at ADDRESS, is the end of a function: a "ret" that ends at an aligned address, where the next
   function can begin, or before padding: int3, or one of the forms of nop and lea that compilers use. */
static bool is_function_end(const uint8_t *code, uint64_t address)
{
	enum { ALIGNMENT = 16 };
	const unsigned length = code[0] == 0xc3 ? 1 : code[0] == 0xc2 && code[2] == 0 ? 3 : 0;
	const uint8_t *next = code + length;
	if (length == 0)
		return false;
	return (address + length) % ALIGNMENT == 0 || next[0] == 0xcc || next[0] == 0x90 ||
	       (next[0] == 0x66 && (next[1] == 0x90 || next[1] == 0x2e || next[1] == 0x66 || next[1] == 0x0f)) ||
	       (next[0] == 0x0f && next[1] == 0x1f) || (next[0] == 0x2e && next[1] == 0x8d) ||
	       (next[0] == 0x8d && (next[1] == 0x76 || next[1] == 0xb6 || next[1] == 0x74 || next[1] == 0xb4));
}

/* Numbers of bytes.  AFTER: how many is_function_end() and find_push() read from the beginning of an instruction on. */
enum { CODE_SIZE_MAX = 64 << 10, PIECE = 512, SMALL_PIECE = 32, AFTER = 5 };

/* Read the code from BEGIN to END, at most PIECE bytes, and AFTER more bytes, which become zeros if they cannot be
   read.  False: the code cannot be read. */
static bool read_piece(const struct unwind_space *space, uint64_t begin, uint64_t end, uint8_t code[PIECE + AFTER])
{
	memset(code, 0, (size_t)(end - begin) + AFTER);
	return space->read(space->context, begin, code, (size_t)(end - begin) + AFTER) ||
	       space->read(space->context, begin, code, (size_t)(end - begin));
}

bool rs_x86_is_function(const struct unwind_space *space, uint64_t address, uint64_t ip)
{
	uint8_t code[PIECE + AFTER];
	if (address > ip || ip - address > CODE_SIZE_MAX)
		return false;
	for (uint64_t at = address; at < ip; at += PIECE) {
		const uint64_t end = ip - at > PIECE ? at + PIECE : ip;
		if (!read_piece(space, at, end, code))
			return false;
		for (uint64_t i = 0; i < end - at; i++)
			if (is_function_end(code + i, at + i))
				return false;
	}
	return true;
}

bool rs_x86_sets_pointer(const struct unwind_space *space, uint64_t ip)
{
	uint8_t code[PIECE + AFTER];
	/* Search backwards in small pieces: the answer is usually near IP, and a dump may lack code far before it. */
	for (uint64_t end = ip; ip - end < CODE_SIZE_MAX && end >= SMALL_PIECE; end -= SMALL_PIECE) {
		const uint64_t begin = end - SMALL_PIECE;
		if (!read_piece(space, begin, end, code))
			return true;
		for (unsigned i = SMALL_PIECE; i-- > 0;) {
			if (find_push(code + i) >= 0)
				return true;
			if (is_function_end(code + i, begin + i))
				return false;
		}
	}
	return false;
}

/* If ip is in "push ebp; mov ebp, esp" or before it, undo what has run of that, and return to the caller. */
static bool undo_frame_setup(const struct unwind_space *space, struct unwind_frame *frame)
{
	uint8_t code[PROLOG_LENGTH_MAX] = { 0 }, before = 0;
	if (!space->read(space->context, frame->ip, code, sizeof code))
		return false;
	if (find_push(code) >= 0)
		return pop_value(space, frame, &frame->ip);
	return is_mov_ebp_esp(code) && space->read(space->context, frame->ip - 1, &before, sizeof before) &&
	       before == 0x55 && pop_value(space, frame, &frame->registers[UNWIND_BP]) &&
	       pop_value(space, frame, &frame->ip);
}

/* Run one instruction that frees the frame.  Returns its length; 0: CODE is another instruction, or the
   stack cannot be read. */
static unsigned run_freeing_instruction(const struct unwind_space *space, const uint8_t *code,
					struct unwind_frame *frame)
{
	uint64_t *registers = frame->registers;
	if (code[0] == 0x83 && code[1] == 0xc4 && code[2] < 0x80) { /* add esp, N */
		registers[UNWIND_SP] += code[2];
		return 3;
	}
	if (code[0] == 0xc9) { /* leave */
		registers[UNWIND_SP] = registers[UNWIND_BP];
		return pop_value(space, frame, &registers[UNWIND_BP]) ? 1 : 0;
	}
	if ((code[0] & 0xf8) == 0x58 && code[0] != 0x58 + UNWIND_SP) /* pop R */
		return pop_value(space, frame, &registers[code[0] & 7]) ? 1 : 0;
	return 0;
}

/* Run the rest of an epilog, with its ret.  False: FRAME->ip is in no epilog, or memory cannot be read. */
static bool run_rest_of_epilog(const struct unwind_space *space, struct unwind_frame *frame)
{
	for (unsigned i = 0; i < INSTRUCTIONS_MAX; i++) {
		uint8_t code[PROLOG_LENGTH_MAX - 2] = { 0 };
		for (size_t size = sizeof code; size > 0 && !space->read(space->context, frame->ip, code, size); size--)
			memset(code, 0, sizeof code);
		if (code[0] == 0xc3 || code[0] == 0xc2) { /* ret, ret N */
			const unsigned freed = code[0] == 0xc2 ? rs_le16(code + 1) : 0;
			if (!pop_value(space, frame, &frame->ip))
				return false;
			frame->registers[UNWIND_SP] += freed;
			return true;
		}
		const unsigned length = run_freeing_instruction(space, code, frame);
		if (length == 0)
			return false;
		frame->ip += length;
	}
	return false;
}

bool rs_x86_ends_run(const struct unwind_space *space, struct unwind_frame *frame)
{
	struct unwind_frame caller = *frame;
	if (!undo_frame_setup(space, &caller)) {
		caller = *frame;
		if (!run_rest_of_epilog(space, &caller))
			return false;
	}
	caller.exact = false;
	*frame = caller;
	return true;
}
