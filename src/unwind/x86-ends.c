// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/x86-ends.h"
#include "core/bytes.h"

#include <string.h>

enum { LONGEST = 5, MOST_INSTRUCTIONS = 8 };

static bool pop(const struct unwind_space *space, struct unwind_frame *frame, uint64_t *value)
{
	uint8_t bytes[4];
	if (!space->read(space->context, frame->registers[UNWIND_SP], bytes, sizeof bytes))
		return false;
	frame->registers[UNWIND_SP] += sizeof bytes;
	*value = rs_le32(bytes);
	return true;
}

/* Whether CODE is "mov ebp, esp". */
static bool sets_pointer(const uint8_t *code)
{
	return (code[0] == 0x8b && code[1] == 0xec) || (code[0] == 0x89 && code[1] == 0xe5);
}

/* Run "push ebp; mov ebp, esp" backwards, which may have "mov edi, edi" in front of it. */
static bool undo_beginning(const struct unwind_space *space, struct unwind_frame *frame)
{
	uint8_t code[LONGEST] = { 0 }, before = 0;
	if (!space->read(space->context, frame->ip, code, sizeof code))
		return false;
	const unsigned patch = code[0] == 0x8b && code[1] == 0xff ? 2 : 0;
	if (code[patch] == 0x55 && sets_pointer(code + patch + 1))
		return pop(space, frame, &frame->ip);
	return sets_pointer(code) && space->read(space->context, frame->ip - 1, &before, sizeof before) &&
	       before == 0x55 && pop(space, frame, &frame->registers[UNWIND_BP]) && pop(space, frame, &frame->ip);
}

/* Run one instruction that frees the frame.  Returns its length; 0: CODE is another one, or the stack is not known. */
static unsigned free_frame(const struct unwind_space *space, const uint8_t *code, struct unwind_frame *frame)
{
	uint64_t *registers = frame->registers;
	if (code[0] == 0x83 && code[1] == 0xc4 && code[2] < 0x80) { /* add esp, N */
		registers[UNWIND_SP] += code[2];
		return 3;
	}
	if (code[0] == 0xc9) { /* leave */
		registers[UNWIND_SP] = registers[UNWIND_BP];
		return pop(space, frame, &registers[UNWIND_BP]) ? 1 : 0;
	}
	if ((code[0] & 0xf8) == 0x58 && code[0] != 0x58 + UNWIND_SP) /* pop R */
		return pop(space, frame, &registers[code[0] & 7]) ? 1 : 0;
	return 0;
}

/* Run what is left of an epilog. */
static bool run_end(const struct unwind_space *space, struct unwind_frame *frame)
{
	for (unsigned i = 0; i < MOST_INSTRUCTIONS; i++) {
		uint8_t code[LONGEST - 2] = { 0 };
		for (size_t size = sizeof code; size > 0 && !space->read(space->context, frame->ip, code, size); size--)
			memset(code, 0, sizeof code);
		if (code[0] == 0xc3 || code[0] == 0xc2) { /* ret, ret N */
			const unsigned freed = code[0] == 0xc2 ? rs_le16(code + 1) : 0;
			if (!pop(space, frame, &frame->ip))
				return false;
			frame->registers[UNWIND_SP] += freed;
			return true;
		}
		const unsigned length = free_frame(space, code, frame);
		if (length == 0)
			return false;
		frame->ip += length;
	}
	return false;
}

bool x86_ends_run(const struct unwind_space *space, struct unwind_frame *frame)
{
	struct unwind_frame caller = *frame;
	if (!undo_beginning(space, &caller)) {
		caller = *frame;
		if (!run_end(space, &caller))
			return false;
	}
	caller.exact = false;
	*frame = caller;
	return true;
}
