// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/calls.h"
#include "core/bytes.h"
#include "unwind/machine.h"

size_t rs_unwind_read_bytes_before(const struct unwind_space *space, uint64_t address, size_t most,
				   uint8_t bytes[CODE_WINDOW])
{
	size_t size = most < CODE_WINDOW ? most : CODE_WINDOW;
	while (size > 0 && !unwind_read(space, address - size, bytes + CODE_WINDOW - size, size))
		size--;
	return size;
}

static bool can_be_call_target(const struct unwind_space *space, uint64_t target)
{
	return space->code ? space->code(space->context, target) : unwind_is_in_module(space, target);
}

/* ------------------------------------------------------------------------------------------------- x86 */

/* A displacement from a register is always plausible if its absolute value is below FAR_FROM_REGISTER.  This is less
   than 0x4c200, the least displacement whose last three bytes are c2 04 00: such bytes are probably "ret $4". */
enum { CALL_RELATIVE = 0xe8, GROUP_5 = 0xff, GROUP_5_CALL = 2, PREFIX_FS = 0x64, FAR_FROM_REGISTER = 0x40000 };

/* Whether a call through memory, which ends at ADDRESS with a displacement of 4 bytes, uses an address at which a
   function pointer can be.  HAS_BASE: the displacement is added to a register; RELATIVE: it is added to ADDRESS.
   PREFIX is the byte before the call: if it is fs or gs, the pointer is in a thread's own block. */
static bool is_plausible_operand(const struct unwind_space *space, unsigned machine, uint64_t address,
				 uint32_t displacement, bool has_base, bool relative, uint8_t prefix)
{
	const uint64_t offset = (uint64_t)(int64_t)(int32_t)displacement;
	uint64_t base;
	uint32_t size;
	if ((has_base || (prefix | 1) == (PREFIX_FS | 1)) && offset + FAR_FROM_REGISTER - 1 < 2 * FAR_FROM_REGISTER - 1)
		return true;
	if (relative)
		return unwind_is_in_module(space, address + offset);
	/* On x64, the register can contain the image base. */
	if (has_base && machine == UNWIND_AMD64 && space->module(space->context, address - 1, &base, &size) > 0 &&
	    displacement < size)
		return true;
	return unwind_is_in_module(space, machine == UNWIND_I386 ? displacement : offset);
}

/* Whether the LENGTH bytes at CODE, which end at ADDRESS, are an indirect call.  PREFIX is the byte before CODE. */
static bool is_indirect_call(const struct unwind_space *space, unsigned machine, uint64_t address, const uint8_t *code,
			     size_t length, uint8_t prefix)
{
	if (code[0] != GROUP_5 || (code[1] >> 3 & 7) != GROUP_5_CALL)
		return false;
	/* code[1] is the ModRM byte; a SIB byte and a displacement of 1 or 4 bytes may follow it. */
	const unsigned mode = code[1] >> 6;
	const bool has_sib = mode != 3 && (code[1] & 7) == 4;
	if (has_sib && length == 2)
		return false;
	const bool has_base = mode != 0 || (code[has_sib ? 2 : 1] & 7) != 5;
	const size_t displacement = mode == 1 ? 1 : mode == 2 || !has_base ? 4 : 0;
	if (2 + has_sib + displacement != length)
		return false;
	return displacement != 4 || is_plausible_operand(space, machine, address, rs_le32(code + length - 4), has_base,
							 !has_base && !has_sib && machine == UNWIND_AMD64, prefix);
}

/* Find a call as rs_unwind_find_call() does, on x86.  The bytes before ADDRESS are the last SIZE bytes of CODE.
   Prefixes come before the opcode, so they need not be decoded.  Far calls are ignored. */
static bool find_x86_call(const struct unwind_space *space, unsigned machine, uint64_t address,
			  const uint8_t code[CODE_WINDOW], size_t size, uint64_t *target)
{
	enum { DIRECT = 5 };
	const uint8_t *end = code + CODE_WINDOW;
	if (size >= DIRECT && end[-DIRECT] == CALL_RELATIVE) {
		*target = address + (uint64_t)(int64_t)(int32_t)rs_le32(end - 4);
		if (machine == UNWIND_I386)
			*target &= UINT32_MAX; /* addresses wrap at 4 GiB */
		if (can_be_call_target(space, *target))
			return true;
		*target = 0;
	}
	for (size_t length = 2; length <= CALL_LENGTH_MAX && length <= size; length++)
		if (is_indirect_call(space, machine, address, end - length, length,
				     size > length ? *(end - length - 1) : 0))
			return true;
	return false;
}

/* ------------------------------------------------------------------------------------------------ ARM64 */

enum { INSTRUCTION = 4 };

/* Find a call as rs_unwind_find_call() does, in WORD, the ARM64 instruction before ADDRESS.  Calls are BL; and BLR and
   its variants with pointer authentication (BLRAA, BLRAB, BLRAAZ, BLRABZ), which call through a register. */
static bool find_arm64_call(const struct unwind_space *space, uint64_t address, uint32_t word, uint64_t *target)
{
	const uint64_t words = word & 0x03ffffff, sign = UINT64_C(1) << 25;
	if (address % INSTRUCTION != 0)
		return false;
	if (word >> 26 != 0x25)
		return (word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfffff800) == 0xd73f0800 ||
		       (word & 0xfffff81f) == 0xd63f081f;
	*target = address - INSTRUCTION + ((words ^ sign) - sign) * INSTRUCTION;
	if (can_be_call_target(space, *target))
		return true;
	*target = 0;
	return false;
}

/* --------------------------------------------------------------------------------------------- any machine */

bool rs_unwind_find_call(const struct unwind_space *space, uint64_t address, size_t most, uint64_t *target)
{
	uint8_t code[CODE_WINDOW];
	const size_t size = rs_unwind_read_bytes_before(space, address, most, code);
	*target = 0;
	if (size == 0)
		return false;
	const unsigned machine = rs_unwind_find_machine_at(space, address - 1);
	if (machine == UNWIND_ARM64)
		return size >= INSTRUCTION &&
		       find_arm64_call(space, address, rs_le32(code + CODE_WINDOW - INSTRUCTION), target);
	return (machine == UNWIND_I386 || machine == UNWIND_AMD64) &&
	       find_x86_call(space, machine, address, code, size, target);
}

bool rs_unwind_is_after_call(const struct unwind_space *space, uint64_t address)
{
	uint64_t target;
	return rs_unwind_find_call(space, address, CODE_WINDOW, &target);
}

uint64_t rs_unwind_find_call_target(const struct unwind_space *space, uint64_t address)
{
	uint64_t target;
	(void)rs_unwind_find_call(space, address, CODE_WINDOW, &target);
	return target;
}

bool rs_unwind_is_after_no_call(const struct unwind_space *space, uint64_t address)
{
	uint8_t last;
	return unwind_read(space, address - 1, &last, sizeof last) && !rs_unwind_is_after_call(space, address);
}

bool rs_unwind_is_jump(const struct unwind_space *space, uint64_t address)
{
	uint8_t code[3 * INSTRUCTION] = { 0 };
	if (rs_unwind_find_machine_at(space, address) != UNWIND_ARM64)
		return unwind_read(space, address, code, 2) &&
		       (code[0] == 0xe9 || (code[0] == GROUP_5 && code[1] == 0x25));
	/* B; or ADRP into x16, LDR, BR x16 */
	if (!unwind_read(space, address, code, sizeof code))
		return unwind_read(space, address, code, INSTRUCTION) && rs_le32(code) >> 26 == 5;
	return rs_le32(code) >> 26 == 5 ||
	       ((rs_le32(code) & 0x9f00001f) == 0x90000010 && rs_le32(code + 8) == 0xd61f0200);
}

bool rs_unwind_is_after_call_of(const struct unwind_space *space, uint64_t address, uint64_t target)
{
	return target != 0 && rs_unwind_find_call_target(space, address) == target;
}
