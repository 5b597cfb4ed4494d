// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/registers.h"
#include "core/bytes.h"

enum { C = REGISTER_CONTROL, I = REGISTER_INTEGER };

static const struct dump_register x86[] = {
	{ "eip", 0xb8, C, REGISTER_IP }, { "esp", 0xc4, C, 4 }, { "ebp", 0xb4, C, 5 },
	{ "eax", 0xb0, I, 0 },		 { "ebx", 0xa4, I, 3 }, { "ecx", 0xac, I, 1 },
	{ "edx", 0xa8, I, 2 },		 { "esi", 0xa0, I, 6 }, { "edi", 0x9c, I, 7 },
};

static const struct dump_register amd64[] = {
	{ "rip", 0xf8, C, REGISTER_IP }, { "rsp", 0x98, C, 4 },	 { "rbp", 0xa0, I, 5 },	 { "rax", 0x78, I, 0 },
	{ "rbx", 0x90, I, 3 },		 { "rcx", 0x80, I, 1 },	 { "rdx", 0x88, I, 2 },	 { "rsi", 0xa8, I, 6 },
	{ "rdi", 0xb0, I, 7 },		 { "r8", 0xb8, I, 8 },	 { "r9", 0xc0, I, 9 },	 { "r10", 0xc8, I, 10 },
	{ "r11", 0xd0, I, 11 },		 { "r12", 0xd8, I, 12 }, { "r13", 0xe0, I, 13 }, { "r14", 0xe8, I, 14 },
	{ "r15", 0xf0, I, 15 },
};

#define X(number) \
	{ \
		"x" #number, 8 + 8 * (number), I, number \
	}

static const struct dump_register arm64[] = {
	{ "pc", 0x108, C, REGISTER_IP },
	{ "sp", 0x100, C, 31 },
	{ "fp", 0xf0, C, 29 },
	{ "lr", 0xf8, C, 30 },
	X(0),
	X(1),
	X(2),
	X(3),
	X(4),
	X(5),
	X(6),
	X(7),
	X(8),
	X(9),
	X(10),
	X(11),
	X(12),
	X(13),
	X(14),
	X(15),
	X(16),
	X(17),
	X(18),
	X(19),
	X(20),
	X(21),
	X(22),
	X(23),
	X(24),
	X(25),
	X(26),
	X(27),
	X(28),
};

#define REGISTERS(list) (list), sizeof(list) / sizeof *(list)

static const struct dump_processor processors[] = {
	{ PROCESSOR_X86, 0x14c, "x86", 0, 0x10000, 0xcc, 4, REGISTERS(x86) },
	{ PROCESSOR_AMD64, 0x8664, "x86-64", 0x30, 0x100000, 0x100, 8, REGISTERS(amd64) },
	{ PROCESSOR_ARM64, 0xaa64, "ARM64", 0, 0x400000, 0x110, 8, REGISTERS(arm64) },
};

const struct dump_processor *rs_dump_processor(uint16_t machine)
{
	for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
		if (processors[i].machine == machine)
			return &processors[i];
	return NULL;
}

const struct dump_processor *rs_dump_processor_of_image(uint32_t image_machine)
{
	for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
		if (processors[i].image_machine == image_machine)
			return &processors[i];
	return NULL;
}

unsigned rs_dump_register_groups(const struct dump_processor *processor, const uint8_t *bytes)
{
	const uint32_t flags = rs_le32(bytes + processor->flags_offset);
	return flags & processor->processor_flag ? flags & (REGISTER_CONTROL | REGISTER_INTEGER) : 0;
}

uint64_t rs_dump_register(const struct dump_processor *processor, const uint8_t *bytes,
			  const struct dump_register *which)
{
	const uint8_t *at = bytes + which->offset;
	return processor->size == 4 ? rs_le32(at) : rs_le64(at);
}

struct unwind_frame rs_dump_first_frame(const struct dump_processor *processor, const uint8_t *bytes)
{
	struct unwind_frame frame = { .exact = true };
	for (size_t i = 0; i < processor->count; i++) {
		const struct dump_register *which = &processor->registers[i];
		const uint64_t value = rs_dump_register(processor, bytes, which);
		*(which->number < 0 ? &frame.ip : &frame.registers[which->number]) = value;
	}
	return frame;
}
