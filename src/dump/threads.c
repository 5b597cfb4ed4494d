// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/threads.h"

const struct dump_processor *rs_dump_contents_processor(const struct dump_contents *dump)
{
	struct minidump_system system;
	if (dump->is_kernel)
		return rs_dump_processor_of_image(dump->kernel.machine);
	return rs_minidump_system(&dump->minidump, &system) ? rs_dump_processor(system.machine) : NULL;
}

/* The index of the thread with this ID in a minidump's list; the number of threads there if none has it. */
static uint32_t find_listed(const struct dump_contents *dump, uint32_t id)
{
	struct minidump_thread thread;
	uint32_t i = 0;
	while (i < dump->minidump.threads.count &&
	       !(rs_minidump_thread(&dump->minidump, i, &thread) && thread.id == id))
		i++;
	return i;
}

uint32_t rs_dump_crashed_thread(const struct dump_contents *dump)
{
	struct minidump_exception exception;
	if (dump->is_kernel)
		return 0;
	return rs_minidump_exception(&dump->minidump, &exception) ? find_listed(dump, exception.thread)
								  : dump->minidump.threads.count;
}

uint32_t rs_dump_thread_count(const struct dump_contents *dump)
{
	const uint32_t listed = dump->is_kernel ? 1 : dump->minidump.threads.count;
	struct minidump_exception exception;
	return listed + (!dump->is_kernel && rs_minidump_exception(&dump->minidump, &exception) &&
			 rs_dump_crashed_thread(dump) == listed);
}

bool rs_dump_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread)
{
	struct minidump_thread listed;
	struct minidump_exception exception;
	if (dump->is_kernel) {
		*thread = (struct dump_thread){ 0, true, dump->kernel.context, REGISTERS_CONTEXT };
		return i == 0;
	}
	const bool there = rs_minidump_thread(&dump->minidump, i, &listed);
	*thread = (struct dump_thread){ .id = 0 };
	if (there)
		*thread = (struct dump_thread){ listed.id, false, listed.context.offset, listed.context.size };
	if (i > dump->minidump.threads.count || i != rs_dump_crashed_thread(dump) ||
	    !rs_minidump_exception(&dump->minidump, &exception))
		return there;
	thread->id = exception.thread;
	thread->crashed = true;
	if (exception.context.size) {
		thread->context = exception.context.offset;
		thread->size = exception.context.size;
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
