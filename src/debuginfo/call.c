// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/call.h"
#include "core/bytes.h"

enum { MACHINE_I386 = 0x14c, MACHINE_AMD64 = 0x8664, MACHINE_ARM64 = 0xaa64 };

static bool is_code(const struct reading *reading, uint32_t rva)
{
	return reading_code_end(reading, rva) != 0;
}

/* ------------------------------------------------------------------------------------------------- x86 */

/*
 * x86 instructions have different lengths and can only be decoded forwards.  Read backwards, the last bytes of another
 * instruction can look like a call.  So the operand of a call must make sense, too:
 * - A direct call must lead to code.
 * - A call through memory must use an address in the image, or a displacement from a register that is smaller than
 *   FAR_FROM_REGISTER.  Code that ends with "ret $4" seems to have a displacement of at least 0x4c200.
 * Prefixes, REX among them, come before the opcode and need not be decoded.  Far calls are ignored.
 */
enum { CALL_RELATIVE = 0xe8, GROUP_5 = 0xff, GROUP_5_CALL = 2, CALL_LENGTH_MAX = 7, FAR_FROM_REGISTER = 0x40000 };

/* The operand that a ModRM byte describes. */
struct operand {
	unsigned length;       /* bytes of the ModRM byte, the SIB byte and the displacement together */
	unsigned displacement; /* length of the displacement: 0, 1 or 4 */
	bool has_base;	       /* a register is added to the displacement */
	bool has_sib;
};

/* Decode the operand that begins with the byte at MODRM. */
static struct operand operand_at(const uint8_t *modrm)
{
	unsigned mode = modrm[0] >> 6, base = modrm[0] & 7;
	struct operand operand = { .length = 1, .has_base = true };
	if (mode == 3)
		return operand;
	operand.has_sib = base == 4;
	if (operand.has_sib)
		base = modrm[1] & 7;
	operand.has_base = mode != 0 || base != 5;
	operand.displacement = mode == 1 ? 1 : mode == 2 || !operand.has_base ? 4 : 0;
	operand.length += operand.has_sib + operand.displacement;
	return operand;
}

/* Whether a call through memory with this OPERAND and DISPLACEMENT, which ends at END, can read a function pointer. */
static bool is_plausible(const struct reading *reading, const struct operand *operand, uint32_t displacement,
			 uint32_t end)
{
	const struct rs_pe *pe = reading->pe;
	int64_t offset = (int32_t)displacement;
	if (operand->has_base && offset > -FAR_FROM_REGISTER && offset < FAR_FROM_REGISTER)
		return true;
	if (pe->machine == MACHINE_AMD64 && !operand->has_base && !operand->has_sib)
		return (uint64_t)(offset + end) < pe->size_of_image;
	uint64_t address = pe->machine == MACHINE_AMD64 ? (uint64_t)offset : displacement;
	return address - pe->image_base < pe->size_of_image;
}

/* Whether the LENGTH bytes at BYTES, which end at END, are a call. */
static bool is_x86_call(const struct reading *reading, const uint8_t *bytes, unsigned length, uint32_t end)
{
	if (bytes[0] == CALL_RELATIVE)
		return length == 5 && is_code(reading, end + rs_le32(bytes + 1));
	if (bytes[0] != GROUP_5 || (bytes[1] >> 3 & 7) != GROUP_5_CALL)
		return false;
	struct operand operand = operand_at(bytes + 1);
	return operand.length == length - 1 &&
	       (operand.displacement != 4 || is_plausible(reading, &operand, rs_le32(bytes + length - 4), end));
}

/* Whether the LENGTH bytes of CODE, which end at END, end with a call. */
static bool ends_x86(const struct reading *reading, const uint8_t *code, uint32_t length, uint32_t end)
{
	for (unsigned n = 2; n <= CALL_LENGTH_MAX && n <= length; n++)
		if (is_x86_call(reading, code + length - n, n, end))
			return true;
	return false;
}

/* ------------------------------------------------------------------------------------------------ ARM64 */

/* Whether the LENGTH bytes of CODE, which end at END, end with a call on ARM64, whose instructions have 4 bytes.  BL
   must lead to code, since data in the code can look like BL.  BLR and its variants with pointer authentication (BLRAA,
   BLRAB, BLRAAZ, BLRABZ) call through a register. */
static bool ends_arm64(const struct reading *reading, const uint8_t *code, uint32_t length, uint32_t end)
{
	if (length < 4 || end % 4 != 0)
		return false;
	uint32_t word = rs_le32(code + length - 4);
	if ((word & 0xfc000000) == 0x94000000) {
		uint32_t offset = (word & 0x03ffffff) << 2;
		if (offset & 0x08000000)
			offset |= 0xf0000000;
		return is_code(reading, end - 4 + offset);
	}
	return (word & 0xfffffc1f) == 0xd63f0000 || (word & 0xfffff800) == 0xd73f0800 ||
	       (word & 0xfffff81f) == 0xd63f081f;
}

/* --------------------------------------------------------------------------------------------- together */

bool call_ends_at(const struct reading *reading, uint32_t begin, uint32_t end)
{
	const struct code *code = reading_code_at(reading, begin);
	if (!code || !code->bytes || end <= begin || end >= code->end)
		return false;
	const uint8_t *bytes = code->bytes + (begin - code->begin);
	switch (reading->pe->machine) {
	case MACHINE_I386:
	case MACHINE_AMD64:
		return ends_x86(reading, bytes, end - begin, end);
	case MACHINE_ARM64:
		return ends_arm64(reading, bytes, end - begin, end);
	default:
		return false;
	}
}
