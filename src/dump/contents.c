// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/contents.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"

#include <string.h>

bool rs_dump_has_signature(const void *bytes, size_t length)
{
	static const char *const signatures[] = { MINIDUMP_SIGNATURE, KERNEL_DUMP_32, KERNEL_DUMP_64 };
	bool has = false;
	for (size_t i = 0; i < sizeof signatures / sizeof *signatures && !has; i++) {
		const size_t whole = strlen(signatures[i]);
		has = memcmp(bytes, signatures[i], length < whole ? length : whole) == 0;
	}
	return has;
}

bool rs_dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t bytes[DUMP_SIGNATURE];
	memset(dump, 0, sizeof *dump);
	const bool there = rs_dump_read(input, 0, bytes, sizeof bytes);
	const bool wide = there && memcmp(bytes, KERNEL_DUMP_64, sizeof bytes) == 0;
	dump->is_kernel = wide || (there && memcmp(bytes, KERNEL_DUMP_32, sizeof bytes) == 0);
	dump->memory.input = input;
	const bool good = dump->is_kernel ? rs_kernel_dump_open(&dump->kernel, input, wide, &dump->memory, problems)
					  : rs_minidump_open(&dump->minidump, input, problems) &&
						    rs_minidump_list_memory(&dump->minidump, &dump->memory.pieces);
	dump->module_count = dump->is_kernel ? dump->kernel.module_count : dump->minidump.modules.count;
	return good;
}

void rs_dump_contents_close(struct dump_contents *dump)
{
	rs_free(dump->kernel.entries);
	rs_dump_pieces_clear(&dump->minidump.names);
	rs_dump_memory_clear(&dump->memory);
}

const struct dump_exception *rs_dump_get_exception(const struct dump_contents *dump)
{
	const struct dump_exception *exception = dump->is_kernel ? &dump->kernel.exception : &dump->minidump.exception;
	return (dump->is_kernel ? exception->code != 0 : dump->minidump.has_exception) ? exception : NULL;
}

bool rs_dump_read_module(const struct dump_contents *dump, uint32_t i, bool whole, struct dump_module *module)
{
	return dump->is_kernel ? rs_kernel_dump_read_module(&dump->kernel, i, whole, module)
			       : rs_minidump_read_module(&dump->minidump, i, whole, module);
}

/* ------------------------------------------------------------------------------------------------ registers */

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

/* In the CONTEXT, x0 to x28 follow each other, 8 bytes each, from offset 8 on. */
#define X(n) \
	{ \
		"x" #n, 8 + 8 * (n), I, n \
	}
#define FIVE(a, b, c, d, e) X(a), X(b), X(c), X(d), X(e)

static const struct dump_register arm64[] = {
	{ "pc", 0x108, C, REGISTER_IP },
	{ "sp", 0x100, C, 31 },
	{ "fp", 0xf0, C, 29 },
	{ "lr", 0xf8, C, 30 },
	FIVE(0, 1, 2, 3, 4),
	FIVE(5, 6, 7, 8, 9),
	FIVE(10, 11, 12, 13, 14),
	FIVE(15, 16, 17, 18, 19),
	FIVE(20, 21, 22, 23, 24),
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

const struct dump_processor *rs_dump_find_processor(const struct dump_contents *dump)
{
	for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
		if (dump->is_kernel
			    ? processors[i].image_machine == dump->kernel.machine
			    : dump->minidump.has_system && processors[i].machine == dump->minidump.system.machine)
			return &processors[i];
	return NULL;
}

unsigned rs_dump_find_register_groups(const struct dump_processor *processor, const uint8_t *bytes)
{
	const uint32_t flags = rs_le32(bytes + processor->flags_offset);
	return flags & processor->processor_flag ? flags & (REGISTER_CONTROL | REGISTER_INTEGER) : 0;
}

uint64_t rs_dump_read_register(const struct dump_processor *processor, const uint8_t *bytes,
			       const struct dump_register *which)
{
	const uint8_t *at = bytes + which->offset;
	return rs_dump_parse_pointer(processor->size == 8, at);
}

struct rossym_unwind_frame rs_dump_make_first_frame(const struct dump_processor *processor, const uint8_t *bytes)
{
	struct rossym_unwind_frame frame = { .size = sizeof frame, .machine = processor->image_machine, .exact = true };
	for (size_t i = 0; i < processor->count; i++) {
		const struct dump_register *which = &processor->registers[i];
		const uint64_t value = rs_dump_read_register(processor, bytes, which);
		*(which->number < 0 ? &frame.ip : &frame.registers[which->number]) = value;
	}
	return frame;
}

/* ------------------------------------------------------------------------------------------------ threads */

uint32_t rs_dump_count_threads(const struct dump_contents *dump)
{
	const struct minidump *minidump = &dump->minidump;
	if (dump->is_kernel)
		return 1;
	return minidump->threads.count + (minidump->has_exception && minidump->crashed == minidump->threads.count);
}

bool rs_dump_read_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread)
{
	const struct minidump *minidump = &dump->minidump;
	if (dump->is_kernel) {
		*thread = (struct dump_thread){ 0, true, dump->kernel.context, REGISTERS_CONTEXT };
		return i == 0;
	}
	*thread = (struct dump_thread){ .id = 0 };
	const bool there = rs_minidump_read_thread(minidump, i, thread);
	if (!minidump->has_exception || i != minidump->crashed)
		return there;
	thread->id = minidump->exception_thread;
	thread->crashed = true;
	if (minidump->exception_context.size) {
		thread->context = minidump->exception_context.offset;
		thread->size = minidump->exception_context.size;
	}
	return true;
}

bool rs_dump_read_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			       struct rossym_unwind_frame *frame)
{
	uint8_t context[REGISTERS_CONTEXT];
	const struct dump_processor *processor = rs_dump_find_processor(dump);
	if (!processor || thread->size < processor->context_size ||
	    !rs_dump_read(dump->memory.input, thread->context, context, processor->context_size) ||
	    rs_dump_find_register_groups(processor, context) != (REGISTER_CONTROL | REGISTER_INTEGER))
		return false;
	*frame = rs_dump_make_first_frame(processor, context);
	return true;
}
