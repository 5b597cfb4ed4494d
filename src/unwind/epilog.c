// SPDX-License-Identifier: GPL-2.0-or-later
/* epilog.c - runs what is left of the epilog of an x64 function */
#include "config.h"
#include "unwind/pdata.h"
#include "core/bytes.h"

#include <string.h>

enum {
	INSTRUCTION_MAX = 8, /* bytes that are read for an instruction; none of those below is longer */
	POPS_MAX = 16,	     /* one for each register */
};

/* Read INSTRUCTION_MAX bytes of code at ADDRESS, or as many as can be read; the rest becomes zeros, which begin
   no instruction of an epilog. */
static void read_code(const struct unwind_space *space, uint64_t address, uint8_t code[INSTRUCTION_MAX])
{
	memset(code, 0, INSTRUCTION_MAX);
	for (size_t size = INSTRUCTION_MAX; size > 0 && !space->read(space->context, address, code, size); size--)
		memset(code, 0, INSTRUCTION_MAX);
}

/* Run "add rsp, N" or "lea rsp, [R + N]".  Returns its length; 0: CODE is another instruction. */
static unsigned run_release(const uint8_t *code, struct unwind_frame *frame)
{
	uint64_t *rsp = &frame->registers[UNWIND_SP];
	if ((code[0] & 0xfe) != 0x48)
		return 0;
	if (code[0] == 0x48 && code[2] == 0xc4 && code[1] == 0x83) {
		*rsp += (uint64_t)(int64_t)(int8_t)code[3];
		return 4;
	}
	if (code[0] == 0x48 && code[2] == 0xc4 && code[1] == 0x81) {
		*rsp += (uint64_t)(int64_t)(int32_t)rs_le32(code + 3);
		return 7;
	}
	/* lea must have rsp as its destination.  A base of 4 would mean that a SIB byte follows, which
	   epilogs do not have. */
	if (code[1] != 0x8d || (code[2] & 0x38) != 0x20 || (code[2] & 7) == 4)
		return 0;
	const uint64_t from = frame->registers[(code[2] & 7) | (code[0] & 1) << 3];
	switch (code[2] >> 6) {
	case 1:
		*rsp = from + (uint64_t)(int64_t)(int8_t)code[3];
		return 4;
	case 2:
		*rsp = from + (uint64_t)(int64_t)(int32_t)rs_le32(code + 3);
		return 7;
	default:
		return 0;
	}
}

/* Run "pop R".  Returns its length; 0: CODE is another instruction.  *GOOD becomes false if the
   stack cannot be read. */
static unsigned run_pop(const struct unwind_space *space, const uint8_t *code, struct unwind_frame *frame, bool *good)
{
	uint8_t bytes[8];
	const unsigned prefix = code[0] == 0x41;
	if ((code[prefix] & 0xf8) != 0x58)
		return 0;
	*good = space->read(space->context, frame->registers[UNWIND_SP], bytes, sizeof bytes);
	frame->registers[UNWIND_SP] += sizeof bytes;
	if (*good)
		frame->registers[(code[prefix] & 7) | prefix << 3] = rs_le64(bytes);
	return prefix + 1;
}

/* Whether a jump to TARGET leaves the function of ENTRY, as a tail call does.  A jump to the function's own beginning
   is a tail call, too.  A jump into the middle of another entry is none: it goes to another part
   of the same function. */
static bool leaves_function(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
			    uint64_t target)
{
	struct pdata_entry other;
	const uint64_t rva = target - base;
	if (rva > UINT32_MAX || (rva >= entry->begin && rva < entry->end))
		return rva > UINT32_MAX || rva == entry->begin;
	return rs_pdata_find(space, base, (uint32_t)rva, &other) != UNWIND_CALLER || other.begin == rva;
}

static bool is_last_instruction(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
				const uint8_t *code, uint64_t address)
{
	switch (code[0]) {
	case 0xc3:
	case 0xc2:
		return true;
	case 0xf3:
		return code[1] == 0xc3;
	case 0xeb:
		return leaves_function(space, base, entry, address + 2 + (uint64_t)(int64_t)(int8_t)code[1]);
	case 0xe9:
		return leaves_function(space, base, entry, address + 5 + (uint64_t)(int64_t)(int32_t)rs_le32(code + 1));
	case 0xff: /* jmp [rip + N] */
		return code[1] == 0x25;
	default: /* with REX.W: jmp [...] or jmp R */
		return (code[0] & 0xf8) == 0x48 && code[1] == 0xff && (code[2] & 0x38) == 0x20;
	}
}

bool rs_epilog_run(const struct unwind_space *space, uint64_t base, const struct pdata_entry *entry,
		   struct unwind_frame *frame)
{
	uint8_t code[INSTRUCTION_MAX];
	struct unwind_frame later = *frame;
	bool good = true;
	unsigned length;
	read_code(space, later.ip, code);
	later.ip += run_release(code, &later);
	for (int i = 0; i <= POPS_MAX && good; i++) {
		read_code(space, later.ip, code);
		if (is_last_instruction(space, base, entry, code, later.ip)) {
			*frame = later;
			return true;
		}
		later.ip += length = run_pop(space, code, &later, &good);
		if (length == 0)
			break;
	}
	return false;
}
