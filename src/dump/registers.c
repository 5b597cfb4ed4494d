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

static const struct dump_register arm64[] = {
	{ "pc", 0x108, C, REGISTER_IP },
	{ "sp", 0x100, C, 31 },
	{ "fp", 0xf0, C, 29 },
	{ "lr", 0xf8, C, 30 },
	{ "x0", 0x8, I, 0 },
	{ "x1", 0x10, I, 1 },
	{ "x2", 0x18, I, 2 },
	{ "x3", 0x20, I, 3 },
	{ "x4", 0x28, I, 4 },
	{ "x5", 0x30, I, 5 },
	{ "x6", 0x38, I, 6 },
	{ "x7", 0x40, I, 7 },
	{ "x8", 0x48, I, 8 },
	{ "x9", 0x50, I, 9 },
	{ "x10", 0x58, I, 10 },
	{ "x11", 0x60, I, 11 },
	{ "x12", 0x68, I, 12 },
	{ "x13", 0x70, I, 13 },
	{ "x14", 0x78, I, 14 },
	{ "x15", 0x80, I, 15 },
	{ "x16", 0x88, I, 16 },
	{ "x17", 0x90, I, 17 },
	{ "x18", 0x98, I, 18 },
	{ "x19", 0xa0, I, 19 },
	{ "x20", 0xa8, I, 20 },
	{ "x21", 0xb0, I, 21 },
	{ "x22", 0xb8, I, 22 },
	{ "x23", 0xc0, I, 23 },
	{ "x24", 0xc8, I, 24 },
	{ "x25", 0xd0, I, 25 },
	{ "x26", 0xd8, I, 26 },
	{ "x27", 0xe0, I, 27 },
	{ "x28", 0xe8, I, 28 },
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
