// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/contents.h"

#include <string.h>

bool rs_dump_is(const uint8_t *bytes)
{
	return memcmp(bytes, MINIDUMP_SIGNATURE, 4) == 0 || rs_kernel_dump_is(bytes);
}

bool rs_dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems)
{
	uint8_t bytes[DUMP_SIGNATURE];
	memset(dump, 0, sizeof *dump);
	dump->is_kernel = rs_dump_read(input, 0, bytes, sizeof bytes) && rs_kernel_dump_is(bytes);
	dump->memory.input = input;
	const bool good = dump->is_kernel ? rs_kernel_dump_open(&dump->kernel, input, &dump->memory, problems)
					  : rs_minidump_open(&dump->minidump, input, problems) &&
						    rs_minidump_fill(&dump->minidump, &dump->memory.pieces);
	dump->module_count = dump->is_kernel ? dump->kernel.module_count : dump->minidump.modules.count;
	return good;
}

void rs_dump_contents_close(struct dump_contents *dump)
{
	if (dump->is_kernel)
		rs_kernel_dump_close(&dump->kernel);
	else
		rs_minidump_close(&dump->minidump);
	rs_dump_memory_clear(&dump->memory);
}

bool rs_dump_module(const struct dump_contents *dump, uint32_t i, bool whole, struct dump_module *module)
{
	return dump->is_kernel ? rs_kernel_dump_read_module(&dump->kernel, i, whole, module)
			       : rs_minidump_read_module(&dump->minidump, i, whole, module);
}

/* ------------------------------------------------------------------------------------------------ threads */

const struct dump_processor *rs_dump_contents_processor(const struct dump_contents *dump)
{
	if (dump->is_kernel)
		return rs_dump_processor_of_image(dump->kernel.machine);
	return dump->minidump.has_system ? rs_dump_processor(dump->minidump.system.machine) : NULL;
}

uint32_t rs_dump_crashed_thread(const struct dump_contents *dump)
{
	return dump->is_kernel ? 0 : dump->minidump.crashed;
}

uint32_t rs_dump_thread_count(const struct dump_contents *dump)
{
	const struct minidump *minidump = &dump->minidump;
	if (dump->is_kernel)
		return 1;
	return minidump->threads.count + (minidump->has_exception && minidump->crashed == minidump->threads.count);
}

bool rs_dump_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread)
{
	const struct minidump *minidump = &dump->minidump;
	const struct minidump_exception *exception = &minidump->exception;
	struct minidump_thread listed;
	if (dump->is_kernel) {
		*thread = (struct dump_thread){ 0, true, dump->kernel.context, REGISTERS_CONTEXT };
		return i == 0;
	}
	const bool there = rs_minidump_read_thread(minidump, i, &listed);
	*thread = (struct dump_thread){ .id = 0 };
	if (there)
		*thread = (struct dump_thread){ listed.id, false, listed.context.offset, listed.context.size };
	if (!minidump->has_exception || i != minidump->crashed)
		return there;
	thread->id = exception->thread;
	thread->crashed = true;
	if (exception->context.size) {
		thread->context = exception->context.offset;
		thread->size = exception->context.size;
	}
	return true;
}

bool rs_dump_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			  struct unwind_frame *frame)
{
	uint8_t context[REGISTERS_CONTEXT];
	const struct dump_processor *processor = rs_dump_contents_processor(dump);
	if (!processor || thread->size < processor->context_size ||
	    !rs_dump_read(dump->memory.input, thread->context, context, processor->context_size) ||
	    rs_dump_register_groups(processor, context) != (REGISTER_CONTROL | REGISTER_INTEGER))
		return false;
	*frame = rs_dump_first_frame(processor, context);
	return true;
}
