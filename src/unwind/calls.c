// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/calls.h"
#include "core/bytes.h"

enum { DIRECT = 5, INDIRECT_LENGTH_MAX = 7 }; /* bytes of a direct call, and of the longest indirect call */

/* Store the *TARGET of the direct call that ends at ADDRESS.  False: there is none. */
static bool direct_target(const struct unwind_space *space, uint64_t address, uint64_t *target)
{
	uint8_t code[DIRECT];
	if (!space->read(space->context, address - DIRECT, code, DIRECT) || code[0] != 0xe8)
		return false;
	*target = address + (uint64_t)(int64_t)(int32_t)rs_le32(code + 1);
	if (address <= UINT32_MAX)
		*target &= UINT32_MAX; /* on i386, addresses wrap at 4 GiB */
	return true;
}

/* Whether the LENGTH bytes at CODE are a "call" whose target is in a register or in memory (ff /2). */
static bool is_indirect(const uint8_t *code, size_t length)
{
	if (code[0] != 0xff || (code[1] >> 3 & 7) != 2)
		return false;
	const unsigned mode = code[1] >> 6, base = code[1] & 7;
	size_t expected = 2; /* opcode and ModRM; a SIB byte and a displacement may follow */
	if (mode != 3 && base == 4)
		expected += length > 2 && mode == 0 && (code[2] & 7) == 5 ? 5 : 1;
	if (mode == 1)
		expected += 1;
	if (mode == 2 || (mode == 0 && base == 5))
		expected += 4;
	return expected == length;
}

uint64_t rs_unwind_call_target(const struct unwind_space *space, uint64_t address)
{
	uint64_t target;
	/* If the target is in no module, the bytes only look like a call. */
	return direct_target(space, address, &target) && unwind_is_in_module(space, target) ? target : 0;
}

bool rs_unwind_after_call(const struct unwind_space *space, uint64_t address)
{
	uint8_t code[INDIRECT_LENGTH_MAX];
	if (rs_unwind_call_target(space, address) != 0)
		return true;
	for (size_t length = 2; length <= INDIRECT_LENGTH_MAX; length++)
		if (space->read(space->context, address - length, code, length) && is_indirect(code, length))
			return true;
	return false;
}

bool rs_unwind_after_no_call(const struct unwind_space *space, uint64_t address)
{
	uint8_t last;
	return space->read(space->context, address - 1, &last, sizeof last) && !rs_unwind_after_call(space, address);
}

bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address)
{
	uint8_t code[2];
	return space->read(space->context, address, code, sizeof code) &&
	       (code[0] == 0xe9 || (code[0] == 0xff && code[1] == 0x25));
}

bool rs_unwind_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target)
{
	return target != 0 && rs_unwind_call_target(space, address) == target;
}
