// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/registers.h"
#include "core/bytes.h"

enum { C = REGISTER_CONTROL, I = REGISTER_INTEGER };

static const struct dump_register x86[] = {
	{ "eip", 0xb8, C }, { "esp", 0xc4, C }, { "ebp", 0xb4, C }, { "eax", 0xb0, I }, { "ebx", 0xa4, I },
	{ "ecx", 0xac, I }, { "edx", 0xa8, I }, { "esi", 0xa0, I }, { "edi", 0x9c, I },
};

static const struct dump_register amd64[] = {
	{ "rip", 0xf8, C }, { "rsp", 0x98, C }, { "rbp", 0xa0, I }, { "rax", 0x78, I }, { "rbx", 0x90, I },
	{ "rcx", 0x80, I }, { "rdx", 0x88, I }, { "rsi", 0xa8, I }, { "rdi", 0xb0, I }, { "r8", 0xb8, I },
	{ "r9", 0xc0, I },  { "r10", 0xc8, I }, { "r11", 0xd0, I }, { "r12", 0xd8, I }, { "r13", 0xe0, I },
	{ "r14", 0xe8, I }, { "r15", 0xf0, I },
};

static const struct dump_register arm64[] = {
	{ "pc", 0x108, C }, { "sp", 0x100, C }, { "fp", 0xf0, C },  { "lr", 0xf8, C },	{ "x0", 0x08, I },
	{ "x1", 0x10, I },  { "x2", 0x18, I },	{ "x3", 0x20, I },  { "x4", 0x28, I },	{ "x5", 0x30, I },
	{ "x6", 0x38, I },  { "x7", 0x40, I },	{ "x8", 0x48, I },  { "x9", 0x50, I },	{ "x10", 0x58, I },
	{ "x11", 0x60, I }, { "x12", 0x68, I }, { "x13", 0x70, I }, { "x14", 0x78, I }, { "x15", 0x80, I },
	{ "x16", 0x88, I }, { "x17", 0x90, I }, { "x18", 0x98, I }, { "x19", 0xa0, I }, { "x20", 0xa8, I },
	{ "x21", 0xb0, I }, { "x22", 0xb8, I }, { "x23", 0xc0, I }, { "x24", 0xc8, I }, { "x25", 0xd0, I },
	{ "x26", 0xd8, I }, { "x27", 0xe0, I }, { "x28", 0xe8, I },
};

#define REGISTERS(list) (list), sizeof(list) / sizeof *(list)

static const struct dump_processor processors[] = {
	{ 0, "x86", 0, 0x10000, 0xcc, 4, REGISTERS(x86) },
	{ PROCESSOR_AMD64, "x86-64", 0x30, 0x100000, 0x100, 8, REGISTERS(amd64) },
	{ 12, "ARM64", 0, 0x400000, 0x110, 8, REGISTERS(arm64) },
};

const struct dump_processor *dump_processor(uint16_t machine)
{
	for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
		if (processors[i].machine == machine)
			return &processors[i];
	return NULL;
}

unsigned dump_register_groups(const struct dump_processor *processor, const uint8_t *context)
{
	const uint32_t flags = rs_le32(context + processor->flags);
	return flags & processor->mark ? flags & (REGISTER_CONTROL | REGISTER_INTEGER) : 0;
}

uint64_t dump_register(const struct dump_processor *processor, const uint8_t *context,
		       const struct dump_register *which)
{
	const uint8_t *bytes = context + which->offset;
	return processor->size == 4 ? rs_le32(bytes) : rs_le64(bytes);
}
