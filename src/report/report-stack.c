// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-stack.h"

#include <inttypes.h>
#include <string.h>

/* Limits of a report: a damaged dump must not make it endless. */
enum {
	FRAMES_MAX = 1024,	      /* of a thread */
	ALL_FRAMES_MAX = 16384,	      /* of all threads */
	SCANNED_WORDS_MAX = 1 << 20,  /* words of stacks, in all threads */
	COMPARED_NAMES_MAX = 1 << 17, /* names of modules, to find other builds of unloaded ones */
};

uint32_t report_mark_module(struct report_state *r, uint64_t address)
{
	const uint32_t number = rs_dump_space_module(&r->space, address);
	r->shown[number] = true;
	return number;
}

/* Whether r->other has the name of r->module, and another DateStamp.  True, too, after too many comparisons. */
static bool is_other_build(struct report_state *r)
{
	return ++r->compared > COMPARED_NAMES_MAX ||
	       (strcmp(r->module.name, r->other.name) == 0 && r->other.stamp != r->module.stamp);
}

/* Whether the dump has a module of the same name but of another build than r->module.  Then the name alone does not
   tell a reader of the report which one is meant. */
static bool has_other_build(struct report_state *r)
{
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (rs_dump_module(&r->dump, i, true, &r->other) && is_other_build(r))
			return true;
	for (uint32_t i = 0; i < r->dump.minidump.unloaded.count; i++)
		if (rs_minidump_read_unloaded(&r->dump.minidump, i, &r->other) && is_other_build(r))
			return true;
	return false;
}

/* Append the rest of the line of a frame at ADDRESS, where no module is loaded: the module that was unloaded from
   there, or that there is none.  IS_RETURN: ADDRESS is a return address. */
static void append_unloaded_module(struct report_state *r, uint64_t address, bool is_return)
{
	const struct minidump *dump = &r->dump.minidump;
	const uint32_t i = rs_minidump_find_unloaded(dump, address - is_return);
	if (i == dump->unloaded.count || !rs_minidump_read_unloaded(dump, i, &r->module) || !r->module.name[0]) {
		strbuf_addf(r->text, "0x%" PRIx64 " in no module\n", address);
	} else if (has_other_build(r)) {
		strbuf_addf(r->text, "0x%" PRIx64 " in unloaded ", address);
		strbuf_add(r->text, r->module.name);
		strbuf_addf(r->text, ", offset 0x%" PRIx64 "\n", address - r->module.base);
	} else {
		r->unloaded_shown[i] = true;
		strbuf_add(r->text, r->module.name);
		strbuf_addf(r->text, " + 0x%" PRIx64 "\n    unloaded module\n", address - r->module.base);
	}
}

static void append_frame(struct report_state *r, unsigned number, uint64_t address)
{
	/* A return address can be right after the end of its module. */
	const uint32_t i = report_mark_module(r, address - (number > 0));
	strbuf_addf(r->text, "%2u  ", number);
	if (i < r->dump.module_count && rs_dump_module(&r->dump, i, true, &r->module) && r->module.name[0]) {
		strbuf_add(r->text, r->module.name);
		strbuf_addf(r->text, " + 0x%" PRIx64 "\n", address - r->module.base);
	} else {
		append_unloaded_module(r, address, number > 0);
	}
}

/* Append the registers of CONTEXT that belong to GROUPS, a few in a line. */
static void append_registers(struct report_state *r, const uint8_t *context, unsigned groups)
{
	enum { IN_LINE = 3 };
	const struct dump_processor *processor = r->processor;
	unsigned count = 0;
	for (size_t i = 0; i < processor->count; i++) {
		const struct dump_register *which = &processor->registers[i];
		if (!(which->group & groups))
			continue;
		strbuf_addf(r->text, count % IN_LINE == 0 ? "    %3s = 0x%0*" PRIx64 : "  %3s = 0x%0*" PRIx64,
			    which->name, 2 * processor->size, rs_dump_register(processor, context, which));
		if (++count % IN_LINE == 0)
			strbuf_add_char(r->text, '\n');
	}
	if (count % IN_LINE != 0)
		strbuf_add_char(r->text, '\n');
}

/* Append why the callers of IP are unknown.  RESULT is that of the step that has not found them. */
static void append_stop_reason(struct report_state *r, enum unwind_result result, uint64_t ip)
{
	const uint32_t number = rs_dump_space_module(&r->space, ip);
	strbuf_add(r->text, "    further callers are not known: ");
	switch (result) {
	case UNWIND_MEMORY:
		if (number < r->dump.module_count && !rs_dump_images_find(&r->space.images, number, NULL) &&
		    rs_dump_module(&r->dump, number, true, &r->module)) {
			strbuf_add(r->text, "that needs the image of ");
			strbuf_add(r->text, r->module.name);
			strbuf_add(r->text, ", which was not found\n");
		} else {
			strbuf_add(r->text, "the dump does not have the memory that tells them\n");
		}
		break;
	case UNWIND_NOWHERE:
		strbuf_add(r->text, "no unwind information and no word of the stack shows them\n");
		break;
	case UNWIND_DAMAGED:
		strbuf_add(r->text, "the unwind information or the stack is damaged\n");
		break;
	default:
		strbuf_add(r->text, r->words < SCANNED_WORDS_MAX ? "there are more frames than are shown\n"
								 : "no more words of stacks are scanned\n");
	}
}

/* Returns the words for how a step with RESULT has found the caller. */
static const char *method_name(enum unwind_result result)
{
	return result == UNWIND_POINTER ? "frame pointer" : result == UNWIND_SCANNED ? "scanned" : "unwound";
}

/* Replace *FRAME by the frame of its caller, by the rules of the dump's processor. */
static enum unwind_result step_to_caller(struct report_state *r, struct unwind_frame *frame, bool *proved)
{
	const struct unwind_space space = rs_dump_space_unwind(&r->space);
	switch (r->processor->machine) {
	case PROCESSOR_X86:
		return rs_unwind_x86(&space, frame, proved);
	case PROCESSOR_AMD64:
		return rs_unwind_x64(&space, frame, proved);
	default:
		return rs_unwind_arm64(&space, frame, proved);
	}
}

/* Append the callers of FRAME, which has number 0. */
static void append_callers(struct report_state *r, struct unwind_frame frame)
{
	enum unwind_result result = UNWIND_CALLER;
	bool proved;
	for (unsigned n = 1; n < FRAMES_MAX && r->callers < ALL_FRAMES_MAX && r->words < SCANNED_WORDS_MAX;
	     n++, r->callers++) {
		const unsigned most = frame.exact ? UNWIND_SCANNED_FIRST : UNWIND_SCANNED_LATER;
		result = step_to_caller(r, &frame, &proved);
		if (r->processor->machine == PROCESSOR_X86 && (result == UNWIND_SCANNED || !unwind_is_frame(result)))
			r->words += most;
		if (!unwind_is_frame(result))
			break;
		append_frame(r, n, frame.ip);
		strbuf_addf(r->text, "    %s%s\n", method_name(result), proved ? ", proved" : "");
	}
	if (result != UNWIND_END)
		append_stop_reason(r, result, frame.ip - !frame.exact);
}

/* Append the frame, the registers and the callers, as far as CONTEXT has the registers for them.  Returns false if it
   has none, or is of another processor than the dump. */
static bool append_context(struct report_state *r, const uint8_t *context)
{
	const unsigned groups = rs_dump_register_groups(r->processor, context);
	if (groups & REGISTER_CONTROL)
		append_frame(r, 0, rs_dump_register(r->processor, context, &r->processor->registers[0]));
	append_registers(r, context, groups);
	if (groups == (REGISTER_CONTROL | REGISTER_INTEGER))
		append_callers(r, rs_dump_first_frame(r->processor, context));
	return groups;
}

void report_context(struct report_state *r, uint64_t offset, uint32_t size)
{
	static const char what[] = "the context of a thread";
	uint8_t context[REGISTERS_CONTEXT];
	if (!r->processor || size == 0)
		return;
	if (size < r->processor->context_size)
		rs_dump_add_problem(r->problems, what, offset, "is too short");
	else if (!rs_dump_read(r->dump.memory.input, offset, context, r->processor->context_size))
		rs_dump_add_problem(r->problems, what, offset, "reaches past the end of the file");
	else if (!append_context(r, context))
		rs_dump_add_problem(r->problems, what, offset, "is of another processor");
}

void report_context_in_memory(struct report_state *r, uint64_t address, const char *title)
{
	uint8_t context[REGISTERS_CONTEXT];
	if (!r->processor || !rs_dump_memory_read_all(&r->dump.memory, address, context, r->processor->context_size) ||
	    !(rs_dump_register_groups(r->processor, context) & REGISTER_CONTROL))
		return;
	strbuf_add(r->text, title);
	append_context(r, context);
}

void report_stack(struct report_state *r, uint64_t sp)
{
	enum { WORDS_MAX = 32 };
	if (!r->processor)
		return;
	/* Each word may be the return address of a function that has just been called.  Take the first word from which
	   the unwinder finds a caller.  On ARM64 take none, because there a call leaves its return address in a
	   register. */
	for (unsigned i = 0; i < WORDS_MAX && r->processor->machine != PROCESSOR_ARM64; i++) {
		struct unwind_frame frame = { .exact = true }, caller;
		bool proved;
		frame.registers[UNWIND_SP] = sp + (uint64_t)i * r->processor->size;
		caller = frame;
		if (unwind_is_frame(step_to_caller(r, &caller, &proved))) {
			append_callers(r, frame);
			return;
		}
	}
	strbuf_add(r->text, "    callers are not known: no word there is known to be a return address\n");
}
