// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report.h"
#include "core/bytes.h"
#include "dump/address-space.h"
#include "report/code-names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The state of a report that is being written. */
struct report_state {
	struct dump_contents dump;
	struct strbuf *text;
	struct dump_problems *problems;
	const struct dump_processor *processor; /* NULL: unknown */
	struct dump_space space;
	unsigned callers;			/* how many callers the report has so far */
	uint32_t words;				/* how many words of stacks the unwinder has scanned so far, at most */
	uint32_t compared;			/* how many names of modules have been compared */
	bool *shown;				/* for each module: whether the report shows an address in it */
	bool unloaded_shown[MINIDUMP_UNLOADED]; /* as SHOWN, for each unloaded module */
	struct dump_module module, other;	/* scratch: a module to append, and one to compare it with */
};

static inline bool has_32_bit_addresses(const struct report_state *r)
{
	return r->processor && r->processor->size == 4;
}

/* Append " of " and the date and time that is SECONDS after 1970-01-01, in the Gregorian calendar, as in
   " of 2026-01-31 12:00:00 UTC".  The computation of the date counts from 0000-03-01: a year that begins in March ends
   with its leap day, and a cycle of 400 years always has CYCLE days.  The five months from March on, and from August
   on, have 153 days. */
static void put_date_and_time(struct report_state *r, uint64_t seconds)
{
	enum { CYCLE = 146097, TO_MARCH_0 = 719468 };
	const uint32_t second = (uint32_t)(seconds % 86400);
	const uint32_t day = (uint32_t)(seconds / 86400) + TO_MARCH_0, cycle = day / CYCLE, rest = day % CYCLE;
	const uint32_t year = (rest - rest / 1460 + rest / 36524 - rest / (CYCLE - 1)) / 365;
	const uint32_t of_year = rest - (365 * year + year / 4 - year / 100);
	const uint32_t month = (5 * of_year + 2) / 153;
	strbuf_addf(r->text, " of %04u-%02u-%02u", (unsigned)(year + 400 * cycle + (month >= 10)),
		    (unsigned)(month < 10 ? month + 3 : month - 9), (unsigned)(of_year - (153 * month + 2) / 5 + 1));
	strbuf_addf(r->text, " %02u:%02u:%02u UTC", (unsigned)(second / 3600), (unsigned)(second / 60 % 60),
		    (unsigned)(second % 60));
}

/* ------------------------------------------------------------------------------------------------ modules */

/* Append the GUID as Microsoft writes it, and the age. */
static void put_pdb_key(struct report_state *r, const uint8_t *key)
{
	strbuf_addf(r->text, ", PDB {%08" PRIX32 "-%04X-%04X-", rs_le32(key), (unsigned)rs_le16(key + 4),
		    (unsigned)rs_le16(key + 6));
	for (int i = 8; i < 16; i++)
		strbuf_addf(r->text, i == 10 ? "-%02X" : "%02X", (unsigned)key[i]);
	strbuf_addf(r->text, "} %" PRIu32, rs_le32(key + 16));
}

/* Append the row of r->module in the list of modules.  KIND follows the name: "", or a word in parentheses.  If *FIRST
   is set, clear it, and append the heading before the row. */
static void put_module(struct report_state *r, const char *kind, bool *first)
{
	const struct dump_module *module = &r->module;
	if (*first)
		strbuf_add(r->text, has_32_bit_addresses(r) ? "\nstart    end        module name\n"
							    : "\nstart             end                 module name\n");
	*first = false;
	const int digits = has_32_bit_addresses(r) && module->base <= UINT32_MAX - module->size ? 8 : 16;
	const uint16_t *version = module->version;
	strbuf_addf(r->text, digits == 8 ? "%0*" PRIx64 " %0*" PRIx64 "   " : "%0*" PRIx64 "  %0*" PRIx64 "    ",
		    digits, module->base, digits, module->base + module->size);
	strbuf_addf(r->text, "%s%s   DateStamp %08" PRIx32, module->name[0] ? module->name : "?", kind, module->stamp);
	if (version[0] | version[1] | version[2] | version[3])
		strbuf_addf(r->text, ", version %u.%u.%u.%u", version[0], version[1], version[2], version[3]);
	if (module->has_key)
		put_pdb_key(r, module->key);
	strbuf_add_char(r->text, '\n');
}

/* If SHOWN, append the loaded modules that are marked in r->shown, and the unloaded ones that are marked in
   r->unloaded_shown.  Else append the loaded modules that are not marked. */
static void put_modules(struct report_state *r, bool shown)
{
	bool first = true;
	/* Write "(deferred)" after a module without a shown address, as WinDbg does if it did not need the symbols. */
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (r->shown[i] == shown && rs_dump_read_module(&r->dump, i, true, &r->module))
			put_module(r, shown ? "" : "   (deferred)", &first);
	for (uint32_t i = 0; shown && i < r->dump.minidump.unloaded.count; i++)
		if (r->unloaded_shown[i] && rs_minidump_read_unloaded(&r->dump.minidump, i, &r->module))
			put_module(r, "   (unloaded)", &first);
}

/* ------------------------------------------------------------------------------------------------ stacks */

/* Limits of a report: a damaged dump must not make it endless. */
enum {
	FRAMES_MAX = 1024,	      /* frames of a thread */
	ALL_FRAMES_MAX = 16384,	      /* frames of all threads */
	SCANNED_WORDS_MAX = 1 << 20,  /* words of stacks that are scanned, in all threads */
	COMPARED_NAMES_MAX = 1 << 17, /* names of modules that are compared, to find other builds of unloaded modules */
};

/* Mark the module that contains ADDRESS: the report shows an address in it.  Returns the number of that module, or the
   count of all modules if none contains ADDRESS. */
static uint32_t mark_module_at(struct report_state *r, uint64_t address)
{
	const uint32_t number = rs_dump_space_find_module(&r->space, address);
	r->shown[number] = true;
	return number;
}

/* Whether r->other has the name of r->module, but another DateStamp.  Always true after COMPARED_NAMES_MAX calls. */
static bool is_other_build(struct report_state *r)
{
	return ++r->compared > COMPARED_NAMES_MAX ||
	       (strcmp(r->module.name, r->other.name) == 0 && r->other.stamp != r->module.stamp);
}

/* Whether the dump has a module with the name of r->module, but of another build.  Then the name alone is not enough
   for a reader of the report. */
static bool has_other_build(struct report_state *r)
{
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (rs_dump_read_module(&r->dump, i, true, &r->other) && is_other_build(r))
			return true;
	for (uint32_t i = 0; i < r->dump.minidump.unloaded.count; i++)
		if (rs_minidump_read_unloaded(&r->dump.minidump, i, &r->other) && is_other_build(r))
			return true;
	return false;
}

/* Append the rest of the line of a frame at ADDRESS, where no module is loaded: the module that was unloaded from
   ADDRESS, or "in no module".  IS_RETURN: ADDRESS is a return address. */
static void append_address_without_module(struct report_state *r, uint64_t address, bool is_return)
{
	const struct minidump *dump = &r->dump.minidump;
	const uint32_t i = rs_minidump_find_unloaded(dump, address - is_return);
	if (i == dump->unloaded.count || !rs_minidump_read_unloaded(dump, i, &r->module) || !r->module.name[0]) {
		strbuf_addf(r->text, "0x%" PRIx64 " in no module\n", address);
	} else if (has_other_build(r)) {
		strbuf_addf(r->text, "0x%" PRIx64 " in unloaded %s, offset 0x%" PRIx64 "\n", address, r->module.name,
			    address - r->module.base);
	} else {
		r->unloaded_shown[i] = true;
		strbuf_addf(r->text, "%s + 0x%" PRIx64 "\n    unloaded module\n", r->module.name,
			    address - r->module.base);
	}
}

static void append_frame(struct report_state *r, unsigned number, uint64_t address)
{
	/* A return address can be right after the end of its module, so look up the byte before it. */
	const uint32_t i = mark_module_at(r, address - (number > 0));
	strbuf_addf(r->text, "%2u  ", number);
	if (i < r->dump.module_count && rs_dump_read_module(&r->dump, i, true, &r->module) && r->module.name[0]) {
		strbuf_addf(r->text, "%s + 0x%" PRIx64 "\n", r->module.name, address - r->module.base);
	} else {
		append_address_without_module(r, address, number > 0);
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
			    which->name, 2 * processor->size, rs_dump_read_register(processor, context, which));
		if (++count % IN_LINE == 0)
			strbuf_add_char(r->text, '\n');
	}
	if (count % IN_LINE != 0)
		strbuf_add_char(r->text, '\n');
}

/* Append why the callers of IP are unknown.  RESULT is that of the last step; if that step has found a caller, a limit
   was reached. */
static void append_stop_reason(struct report_state *r, enum unwind_result result, uint64_t ip)
{
	const uint32_t number = rs_dump_space_find_module(&r->space, ip);
	strbuf_add(r->text, "    further callers are not known: ");
	switch (result) {
	case UNWIND_MEMORY:
		if (number < r->dump.module_count && !rs_dump_images_has_image(&r->space.images, number, NULL) &&
		    rs_dump_read_module(&r->dump, number, true, &r->module)) {
			strbuf_addf(r->text, "that needs the image of %s, which was not found\n", r->module.name);
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

static enum unwind_result step_to_caller(struct report_state *r, struct rossym_unwind_frame *frame)
{
	const struct unwind_space space = rs_dump_space_for_unwinder(&r->space);
	return rs_unwind_step(&space, frame);
}

/* Append the callers of FRAME, from number 1 on, and why there are no more.  FRAME itself has number 0. */
static void append_callers(struct report_state *r, struct rossym_unwind_frame frame)
{
	enum unwind_result result = UNWIND_CALLER;
	for (unsigned n = 1; n < FRAMES_MAX && r->callers < ALL_FRAMES_MAX && r->words < SCANNED_WORDS_MAX;
	     n++, r->callers++) {
		const unsigned most = frame.exact ? UNWIND_SCANNED_FIRST : UNWIND_SCANNED_LATER;
		result = step_to_caller(r, &frame);
		if (r->processor->machine == PROCESSOR_X86 &&
		    (result == UNWIND_SCANNED || !unwind_found_caller(result)))
			r->words += most;
		if (!unwind_found_caller(result))
			break;
		append_frame(r, n, frame.ip);
		const char *method = result == UNWIND_POINTER ? "frame pointer" : "unwound";
		strbuf_addf(r->text, "    %s%s\n", result == UNWIND_SCANNED ? "scanned" : method,
			    frame.proved ? ", proved" : "");
	}
	if (result != UNWIND_END)
		append_stop_reason(r, result, frame.ip - !frame.exact);
}

/* Append frame 0, the registers and the callers, each only if CONTEXT has the registers that it needs.  Returns false
   if CONTEXT has no registers, or is of another processor than the dump. */
static bool append_context(struct report_state *r, const uint8_t *context)
{
	const unsigned groups = rs_dump_find_register_groups(r->processor, context);
	if (groups & REGISTER_CONTROL)
		append_frame(r, 0, rs_dump_read_register(r->processor, context, &r->processor->registers[0]));
	append_registers(r, context, groups);
	if (groups == (REGISTER_CONTROL | REGISTER_INTEGER))
		append_callers(r, rs_dump_make_first_frame(r->processor, context));
	return groups;
}

/* Append the innermost frame, the registers and the callers of the thread whose CONTEXT has SIZE bytes at OFFSET of the
   file.  Append nothing if SIZE is 0, or the processor is unknown. */
static void put_stack_of_context(struct report_state *r, uint64_t offset, uint32_t size)
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

/* Append TITLE, and then what put_stack_of_context() would append for the CONTEXT at the virtual address ADDRESS.
   Append nothing if the dump lacks that memory, or the CONTEXT lacks the instruction pointer. */
static void put_stack_of_context_in_memory(struct report_state *r, uint64_t address, const char *title)
{
	uint8_t context[REGISTERS_CONTEXT];
	if (!r->processor || !rs_dump_memory_read_all(&r->dump.memory, address, context, r->processor->context_size) ||
	    !(rs_dump_find_register_groups(r->processor, context) & REGISTER_CONTROL))
		return;
	strbuf_add(r->text, title);
	append_context(r, context);
}

/* Append the callers that are found from the stack pointer SP alone: the first return address is on the stack, at SP or
   up to 31 words above. */
static void put_callers_on_stack(struct report_state *r, uint64_t sp)
{
	enum { WORDS_MAX = 32 };
	if (!r->processor)
		return;
	/* Each word may be the return address of a function that has just been called.  Take the first word from which
	   the unwinder finds a caller.  Skip this on ARM64, where a call leaves its return address in a register. */
	for (unsigned i = 0; i < WORDS_MAX && r->processor->machine != PROCESSOR_ARM64; i++) {
		struct rossym_unwind_frame frame = { .machine = r->processor->image_machine, .exact = true }, caller;
		frame.registers[UNWIND_SP] = sp + (uint64_t)i * r->processor->size;
		caller = frame;
		if (unwind_found_caller(step_to_caller(r, &caller))) {
			append_callers(r, frame);
			return;
		}
	}
	strbuf_add(r->text, "    callers are not known: no word there is known to be a return address\n");
}

/* ------------------------------------------------------------------------------------------------ exceptions */

/* If EXCEPTION is a failed access to memory, append which memory, and how; else append its parameters. */
static void put_exception_parameters(struct report_state *r, const struct dump_exception *exception)
{
	static const char *const accesses[] = { [0] = "Read from", [1] = "Written to", [8] = "Executed at" };
	const uint64_t *parameters = exception->parameters;
	const bool is_access = exception->code == EXCEPTION_VIOLATION || exception->code == EXCEPTION_IN_PAGE;
	if (is_access && exception->parameter_count >= 2) {
		/* A writer of dumps may have sign-extended an address of 32 bits. */
		const uint64_t address = has_32_bit_addresses(r) ? (uint32_t)parameters[1] : parameters[1];
		const char *access = parameters[0] < sizeof accesses / sizeof *accesses ? accesses[parameters[0]]
											: NULL;
		strbuf_addf(r->text, "%s: 0x%" PRIx64 "\n", access ? access : "Accessed", address);
		return;
	}
	for (uint32_t i = 0; i < exception->parameter_count; i++)
		strbuf_addf(r->text, "Parameter %" PRIu32 ": 0x%" PRIx64 "\n", i, parameters[i]);
}

/* ------------------------------------------------------------------------------------------------ minidumps */

/* Append the processors' name and COUNT, how many there are; for an unknown kind, its number MACHINE in the dump. */
static void put_processor(struct report_state *r, uint32_t machine, uint32_t count)
{
	if (r->processor)
		strbuf_addf(r->text, "%s, %" PRIu32 " processor%s\n", r->processor->name, count, count == 1 ? "" : "s");
	else
		strbuf_addf(r->text, "unknown processor 0x%" PRIx32 ", whose registers are not read\n", machine);
}

/* Append the system and the process, and set r->processor. */
static void put_minidump_system(struct report_state *r)
{
	enum { PLATFORM_NT = 2 };
	const struct minidump *dump = &r->dump.minidump;
	const struct minidump_system *system = &dump->system;
	if (dump->has_system) {
		r->processor = rs_dump_find_processor(&r->dump);
		if (system->platform == PLATFORM_NT)
			strbuf_add(r->text, "System: Windows");
		else
			strbuf_addf(r->text, "System: platform 0x%" PRIx32, system->platform);
		strbuf_addf(r->text, " %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", ", system->major, system->minor,
			    system->build);
		put_processor(r, system->machine, system->processors);
	}
	if (dump->has_process)
		strbuf_addf(r->text, "Process: 0x%" PRIx32 "\n", dump->process);
}

/* Warn if a 64-bit program has written the dump of a 32-bit process: the dump's CONTEXTs are then those of WOW64's
   64-bit code. */
static void warn_of_wow64(struct report_state *r)
{
	if (!r->processor || r->processor->machine != PROCESSOR_AMD64)
		return;
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (rs_dump_read_module(&r->dump, i, true, &r->module) &&
		    strcasecmp(r->module.name, "wow64cpu.dll") == 0) {
			strbuf_add(r->text,
				   "A process of 32 bits: of its threads, only what runs in 64 bits is read.\n");
			return;
		}
}

static void put_minidump_heading(struct report_state *r)
{
	strbuf_add(r->text, "Minidump");
	if (r->dump.minidump.time)
		put_date_and_time(r, r->dump.minidump.time);
	strbuf_add_char(r->text, '\n');
	put_minidump_system(r);
	warn_of_wow64(r);
}

/* ------------------------------------------------------------------------------------------------ threads */

static void put_thread_name_and_end_line(struct report_state *r, uint32_t id)
{
	if (rs_minidump_read_thread_name(&r->dump.minidump, id, r->module.name))
		strbuf_addf(r->text, ", name %s", r->module.name);
	strbuf_add_char(r->text, '\n');
}

/* Append all threads but the one that crashed. */
static void put_other_threads(struct report_state *r)
{
	struct dump_thread thread;
	for (uint32_t i = 0; i < r->dump.minidump.threads.count; i++) {
		if (!rs_dump_read_thread(&r->dump, i, &thread) || thread.crashed)
			continue;
		strbuf_addf(r->text, "\nThread %" PRIu32 ", id 0x%" PRIx32, i, thread.id);
		put_thread_name_and_end_line(r, thread.id);
		put_stack_of_context(r, thread.context, thread.size);
	}
}

/* ------------------------------------------------------------------------------------------------ the crash */

/* Append the exception, and the thread that has raised it. */
static void put_minidump_exception(struct report_state *r)
{
	const struct minidump *dump = &r->dump.minidump;
	const struct dump_exception *exception = &dump->exception;
	struct dump_thread thread;
	const char *name = find_exception_name(exception->code);
	const bool listed = dump->crashed < dump->threads.count;
	const uint64_t address = has_32_bit_addresses(r) ? (uint32_t)exception->address : exception->address;
	strbuf_addf(r->text, "\nException: %s%s0x%08" PRIx32 "%s\n", name ? name : "", name ? " (" : "",
		    exception->code, name ? ")" : "");
	mark_module_at(r, address);
	strbuf_addf(r->text, "ExceptionAddress: %0*" PRIx64 "\n", has_32_bit_addresses(r) ? 8 : 16, address);
	put_exception_parameters(r, exception);
	if (listed)
		strbuf_addf(r->text, "\nThread %" PRIu32 " (crashed), id 0x%" PRIx32, dump->crashed,
			    dump->exception_thread);
	else
		strbuf_addf(r->text, "\nThread (crashed), id 0x%" PRIx32 ", which is not listed",
			    dump->exception_thread);
	put_thread_name_and_end_line(r, dump->exception_thread);
	(void)rs_dump_read_thread(&r->dump, dump->crashed, &thread);
	put_stack_of_context(r, thread.context, thread.size);
}

/* ------------------------------------------------------------------------------------------------ kernel dumps */

/* Append the kind of dump, its time and the system, and set r->processor. */
static void put_kernel_heading(struct report_state *r)
{
	static const char *const kinds[] = { "unknown", "full",	     "kernel", "header", "triage", "full bitmap",
					     "kernel",	"automatic", "kernel", "kernel", "full" };
	enum { SECOND = 10000000 };			/* in units of 100 ns */
	const uint64_t to_1970 = UINT64_C(11644473600); /* seconds from 1601 to 1970 */
	const struct kernel_dump *dump = &r->dump.kernel;
	r->processor = rs_dump_find_processor(&r->dump);
	strbuf_addf(r->text, "Kernel memory dump (%s)",
		    kinds[dump->type < sizeof kinds / sizeof *kinds ? dump->type : 0]);
	if (dump->time / SECOND > to_1970 && dump->time / SECOND - to_1970 < UINT32_MAX)
		put_date_and_time(r, dump->time / SECOND - to_1970);
	strbuf_addf(r->text, "\nSystem: Windows build %" PRIu32 ", ", dump->build);
	put_processor(r, dump->machine, dump->processors);
}

/* Append the bugcheck: its name, the line that the blue screen has, and what its parameters mean. */
static void put_bugcheck(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	const char *name = find_bugcheck_name(dump->bugcheck);
	const int digits = dump->wide ? 16 : 8;
	strbuf_addf(r->text, "\nBugcheck: %s%s0x%08" PRIX32 "%s\n", name ? name : "", name ? " (" : "", dump->bugcheck,
		    name ? ")" : "");
	strbuf_addf(r->text,
		    "*** STOP: 0x%08" PRIX32 " (0x%0*" PRIX64 ", 0x%0*" PRIX64 ", 0x%0*" PRIX64 ", 0x%0*" PRIX64 ")\n",
		    dump->bugcheck, digits, dump->parameters[0], digits, dump->parameters[1], digits,
		    dump->parameters[2], digits, dump->parameters[3]);
	for (unsigned i = 0; i < KERNEL_DUMP_PARAMETERS; i++) {
		const char *meaning = find_bugcheck_meaning(dump->bugcheck, i);
		mark_module_at(r, dump->parameters[i]);
		if (!meaning)
			continue;
		strbuf_addf(r->text, "    parameter %u: %s", i + 1, meaning);
		name = find_exception_name((uint32_t)dump->parameters[i]);
		if (i == 0 && name && bugcheck_has_exception(dump->bugcheck))
			strbuf_addf(r->text, ": %s", name);
		strbuf_add_char(r->text, '\n');
	}
}

static void put_kernel_exception(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	const struct dump_exception *exception = &dump->exception;
	const char *name = find_exception_name(exception->code);
	if (!exception->code)
		return;
	mark_module_at(r, exception->address);
	strbuf_addf(r->text, "\nException record: %s%s0x%08" PRIx32 "%s at %0*" PRIx64 "\n", name ? name : "",
		    name ? " (" : "", exception->code, name ? ")" : "", dump->wide ? 16 : 8, exception->address);
	put_exception_parameters(r, exception);
}

/* Append a stack for each CONTEXT whose address is a parameter of the bugcheck, if the dump has that memory. */
static void put_bugcheck_contexts(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	for (unsigned i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		if (bugcheck_parameter_is_context(dump->bugcheck, i))
			put_stack_of_context_in_memory(r, dump->parameters[i],
						       "\nThread 0, by the context record of the bugcheck\n");
}

/* Append the bugcheck, the exception and the stacks: from the CONTEXT in the header; from each CONTEXT that the
   bugcheck names; and, in a triage dump, from the stack pointer that KeBugCheckEx() has left. */
static void put_kernel_stacks(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	put_bugcheck(r);
	put_kernel_exception(r);
	strbuf_add(r->text, "\nThread 0 (crashed), by the context record\n");
	put_stack_of_context(r, dump->context, REGISTERS_CONTEXT);
	put_bugcheck_contexts(r);
	if (dump->type == KERNEL_DUMP_TRIAGE) {
		strbuf_add(r->text, "\nThread 0, by what KeBugCheckEx() has left\n");
		put_callers_on_stack(r, dump->triage_stack);
	} else if (!r->dump.memory.paging) {
		strbuf_add(r->text, "\nOf a dump of this kind the memory is not read.\n");
	}
}

/* ------------------------------------------------------------------------------------------------ the whole report */

/* Append the whole report.  The stacks are written to another text first, because writing them marks the modules that
   must come before them. */
static void append_report(struct report_state *r)
{
	struct strbuf *text = r->text, stacks = { .bytes = NULL };
	if (r->dump.is_kernel)
		put_kernel_heading(r);
	else
		put_minidump_heading(r);
	r->text = &stacks;
	if (r->dump.is_kernel)
		put_kernel_stacks(r);
	else if (r->dump.minidump.has_exception)
		put_minidump_exception(r);
	if (!r->dump.is_kernel)
		put_other_threads(r);
	r->text = text;
	put_modules(r, true);
	if (stacks.bytes)
		strbuf_add_bytes(text, stacks.bytes, stacks.length);
	put_modules(r, false);
	text->no_memory |= stacks.no_memory;
	strbuf_clear(&stacks);
}

static void store_problem(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong)
{
	struct report_problems *problems = context;
	if (++problems->count <= REPORT_PROBLEMS)
		strbuf_addf(&problems->text, "%s at %s 0x%" PRIx64 ": %s\n", what, in_memory ? "address" : "offset",
			    number, wrong);
}

bool write_dump_report(const struct dump_input *input, const struct dump_image_source *images, struct strbuf *text,
		       struct report_problems *problems)
{
	struct dump_problems sink = { .say = store_problem, .context = problems };
	struct report_state r = { .text = text, .problems = &sink };
	bool good = rs_dump_contents_open(&r.dump, input, &sink);
	r.shown = good ? calloc((size_t)r.dump.module_count + 1, sizeof *r.shown) : NULL;
	good = r.shown && rs_dump_space_open(&r.space, &r.dump, images);
	if (good)
		append_report(&r);
	rs_dump_space_close(&r.space);
	rs_dump_contents_close(&r.dump);
	free(r.shown);
	return good && !text->no_memory && !problems->text.no_memory;
}
