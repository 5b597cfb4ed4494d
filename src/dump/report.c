// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/report.h"
#include "dump/exception-names.h"
#include "dump/minidump.h"
#include "dump/registers.h"
#include "dump/space.h"
#include "core/bytes.h"
#include "tool/diag.h"
#include "unwind/unwind.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat/compat.h"

struct report_state {
	struct minidump dump;
	struct text *text;
	struct dump_problems *problems;
	const struct dump_processor *processor; /* NULL: not known */
	struct dump_space space;
	unsigned frames;	       /* so many callers are in the report */
	bool *shown;		       /* of each module: a place in it is in the report */
	struct minidump_module module; /* scratch */
};

enum { MOST_FRAMES = 1024, MOST_FRAMES_OF_ALL = 16384 }; /* of one thread, and of all threads */

DIAG_PRINTF(2, 3)
static void put(struct report_state *r, const char *format, ...)
{
	char line[256]; /* nothing longer is put, but names, which text_add() takes */
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	text_add(r->text, line);
}

/* ------------------------------------------------------------------------------------------------ system and process */

/* The day of the proleptic Gregorian calendar that is DAYS after 1970-01-01.  Years begin in March here, so that a leap
   day is the last day of a year, and 400 of them have always the same length. */
static void put_date(struct report_state *r, uint32_t days)
{
	enum { CYCLE = 146097, TO_MARCH_0 = 719468 };
	const uint32_t day = days + TO_MARCH_0, cycle = day / CYCLE, rest = day % CYCLE;
	const uint32_t year = (rest - rest / 1460 + rest / 36524 - rest / (CYCLE - 1)) / 365;
	const uint32_t of_year = rest - (365 * year + year / 4 - year / 100);
	const uint32_t month = (5 * of_year + 2) / 153;
	put(r, "%04u-%02u-%02u", (unsigned)(year + 400 * cycle + (month >= 10)),
	    (unsigned)(month < 10 ? month + 3 : month - 9), (unsigned)(of_year - (153 * month + 2) / 5 + 1));
}

static void put_head(struct report_state *r)
{
	const uint32_t time = r->dump.time, second = time % 86400;
	text_add(r->text, "Minidump");
	if (time) {
		text_add(r->text, " of ");
		put_date(r, time / 86400);
		put(r, " %02u:%02u:%02u UTC", (unsigned)(second / 3600), (unsigned)(second / 60 % 60),
		    (unsigned)(second % 60));
	}
	text_add_char(r->text, '\n');
}

static void put_system(struct report_state *r)
{
	enum { PLATFORM_NT = 2 };
	struct minidump_system system;
	uint32_t process;
	if (minidump_system(&r->dump, &system)) {
		r->processor = dump_processor(system.machine);
		text_add(r->text, "System: ");
		if (system.platform == PLATFORM_NT)
			text_add(r->text, "Windows");
		else
			put(r, "platform 0x%" PRIx32, system.platform);
		put(r, " %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", ", system.major, system.minor, system.build);
		if (r->processor)
			put(r, "%s, %u processor%s\n", r->processor->name, system.processors,
			    system.processors == 1 ? "" : "s");
		else
			put(r, "unknown processor 0x%x, whose registers are not read\n", system.machine);
	}
	if (minidump_process(&r->dump, &process))
		put(r, "Process: 0x%" PRIx32 "\n", process);
}

/* ------------------------------------------------------------------------------------------------ modules */

/* The GUID as Microsoft writes it, and the age. */
static void put_key(struct report_state *r, const uint8_t *key)
{
	put(r, ", PDB {%08" PRIX32 "-%04X-%04X-", rs_le32(key), (unsigned)rs_le16(key + 4), (unsigned)rs_le16(key + 6));
	for (int i = 8; i < 16; i++)
		put(r, i == 10 ? "-%02X" : "%02X", (unsigned)key[i]);
	put(r, "} %" PRIu32, rs_le32(key + 16));
}

static void put_module(struct report_state *r, const struct minidump_module *module)
{
	const int digits = r->processor && r->processor->size == 4 && module->base <= UINT32_MAX - module->size ? 8
														: 16;
	const uint16_t *version = module->version;
	put(r, digits == 8 ? "%0*" PRIx64 " %0*" PRIx64 "   " : "%0*" PRIx64 "  %0*" PRIx64 "    ", digits,
	    module->base, digits, module->base + module->size);
	text_add(r->text, module->name[0] ? module->name : "?");
	put(r, "   DateStamp %08" PRIx32, module->stamp);
	if (version[0] | version[1] | version[2] | version[3])
		put(r, ", version %u.%u.%u.%u", version[0], version[1], version[2], version[3]);
	if (module->has_key)
		put_key(r, module->key);
	text_add_char(r->text, '\n');
}

/* The modules whose places are SHOWN in the report, or the others. */
static void put_modules(struct report_state *r, bool shown)
{
	bool first = true;
	for (uint32_t i = 0; i < r->dump.modules.count; i++) {
		if (r->shown[i] != shown || !minidump_module(&r->dump, i, &r->module))
			continue;
		if (first)
			text_add(r->text, r->processor && r->processor->size == 4
						  ? "\nstart    end        module name\n"
						  : "\nstart             end                 module name\n");
		first = false;
		put_module(r, &r->module);
	}
}

/* ------------------------------------------------------------------------------------------------ threads */

/* The number of the module that has ADDRESS, which is in the report from now on; the number of modules if none has. */
static uint32_t show_module(struct report_state *r, uint64_t address)
{
	const uint32_t number = dump_space_module(&r->space, address);
	r->shown[number] = true;
	return number;
}

/* The place ADDRESS, as the frame with this NUMBER. */
static void put_frame(struct report_state *r, unsigned number, uint64_t address)
{
	/* A return address can be the first one behind its module. */
	const uint32_t i = show_module(r, address - (number > 0));
	put(r, "%2u  ", number);
	if (i < r->dump.modules.count && minidump_module(&r->dump, i, &r->module) && r->module.name[0]) {
		text_add(r->text, r->module.name);
		put(r, " + 0x%" PRIx64 "\n", address - r->module.base);
	} else {
		put(r, "0x%" PRIx64 " in no module\n", address);
	}
}

/* The registers of the GROUPS, a few in a line. */
static void put_registers(struct report_state *r, const uint8_t *context, unsigned groups)
{
	enum { IN_LINE = 3 };
	const struct dump_processor *processor = r->processor;
	unsigned count = 0;
	for (size_t i = 0; i < processor->count; i++) {
		const struct dump_register *which = &processor->registers[i];
		if (!(which->group & groups))
			continue;
		put(r, count % IN_LINE == 0 ? "    %3s = 0x%0*" PRIx64 : "  %3s = 0x%0*" PRIx64, which->name,
		    2 * processor->size, dump_register(processor, context, which));
		if (++count % IN_LINE == 0)
			text_add_char(r->text, '\n');
	}
	if (count % IN_LINE != 0)
		text_add_char(r->text, '\n');
}

/* Say why the callers of IP are not known. */
static void put_why(struct report_state *r, enum unwind_result result, uint64_t ip)
{
	const uint32_t number = dump_space_module(&r->space, ip);
	text_add(r->text, "    further callers are not known: ");
	switch (result) {
	case UNWIND_MEMORY:
		if (number < r->dump.modules.count && !dump_images_find(&r->space.images, number, NULL) &&
		    minidump_module(&r->dump, number, &r->module)) {
			text_add(r->text, "that needs the image of ");
			text_add(r->text, r->module.name);
			text_add(r->text, ", which was not found\n");
		} else {
			text_add(r->text, "the dump does not have the memory that tells them\n");
		}
		break;
	case UNWIND_NOWHERE:
		text_add(r->text, "the place is in no known function\n");
		break;
	case UNWIND_DAMAGED:
		text_add(r->text, "the unwind information or the stack is damaged\n");
		break;
	default:
		text_add(r->text, "there are more frames than are shown\n");
	}
}

static bool has_unwinder(const struct dump_processor *processor)
{
	return processor->machine == PROCESSOR_X86 || processor->machine == PROCESSOR_AMD64;
}

/* How the frame is known that a step has given. */
static const char *how(enum unwind_result result)
{
	return result == UNWIND_POINTER ? "frame pointer" : result == UNWIND_SCANNED ? "scanned" : "unwound";
}

static enum unwind_result step(struct report_state *r, struct unwind_frame *frame, bool *proved)
{
	const struct unwind_space space = dump_space_unwind(&r->space);
	return r->processor->machine == PROCESSOR_X86 ? unwind_x86(&space, frame, proved)
						      : unwind_x64(&space, frame, proved);
}

/* The callers of the place that CONTEXT tells. */
static void put_callers(struct report_state *r, const uint8_t *context)
{
	struct unwind_frame frame = { .exact = true };
	enum unwind_result result = UNWIND_CALLER;
	bool proved;
	for (size_t i = 0; i < r->processor->count; i++) {
		const struct dump_register *which = &r->processor->registers[i];
		const uint64_t value = dump_register(r->processor, context, which);
		*(which->number < 0 ? &frame.ip : &frame.registers[which->number]) = value;
	}
	for (unsigned n = 1; n < MOST_FRAMES && r->frames < MOST_FRAMES_OF_ALL; n++, r->frames++) {
		result = step(r, &frame, &proved);
		if (!unwind_is_frame(result))
			break;
		put_frame(r, n, frame.ip);
		put(r, "    %s%s\n", how(result), proved ? ", proved" : "");
	}
	if (result != UNWIND_END)
		put_why(r, result, frame.ip - !frame.exact);
}

/* What the CONTEXT in PLACE says. */
static void put_context(struct report_state *r, struct minidump_place place)
{
	static const char what[] = "the context of a thread";
	uint8_t context[REGISTERS_CONTEXT];
	if (!r->processor || place.size == 0)
		return;
	if (place.size < r->processor->least) {
		dump_problem(r->problems, what, place.offset, "is too short");
		return;
	}
	if (!dump_read(r->dump.input, place.offset, context, r->processor->least)) {
		dump_problem(r->problems, what, place.offset, "reaches past the end of the file");
		return;
	}
	const unsigned groups = dump_register_groups(r->processor, context);
	if (groups & REGISTER_CONTROL)
		put_frame(r, 0, dump_register(r->processor, context, &r->processor->registers[0]));
	else if (!groups)
		dump_problem(r->problems, what, place.offset, "is of another processor");
	put_registers(r, context, groups);
	if (groups == (REGISTER_CONTROL | REGISTER_INTEGER) && has_unwinder(r->processor))
		put_callers(r, context);
}

/* The number of the thread with this ID; the number of threads if it is not listed.  Its entry becomes *THREAD. */
static uint32_t find_thread(const struct report_state *r, uint32_t id, struct minidump_thread *thread)
{
	uint32_t i = 0;
	while (i < r->dump.threads.count && !(minidump_thread(&r->dump, i, thread) && thread->id == id))
		i++;
	return i;
}

/* The threads but number CRASHED. */
static void put_threads(struct report_state *r, uint32_t crashed)
{
	struct minidump_thread thread;
	for (uint32_t i = 0; i < r->dump.threads.count; i++) {
		if (i == crashed || !minidump_thread(&r->dump, i, &thread))
			continue;
		put(r, "\nThread %" PRIu32 ", id 0x%" PRIx32 "\n", i, thread.id);
		put_context(r, thread.context);
	}
}

/* ------------------------------------------------------------------------------------------------ the crash */

/* What was done to which memory. */
static void put_access(struct report_state *r, const struct minidump_exception *exception)
{
	const uint64_t kind = exception->parameters[0];
	const bool narrow = r->processor && r->processor->size == 4; /* then addresses can be sign-extended */
	const uint64_t address = narrow ? (uint32_t)exception->parameters[1] : exception->parameters[1];
	if ((exception->code == EXCEPTION_VIOLATION || exception->code == EXCEPTION_IN_PAGE) &&
	    exception->parameter_count >= 2)
		put(r, "%s: 0x%" PRIx64 "\n",
		    kind == 0	? "Read from"
		    : kind == 1 ? "Written to"
		    : kind == 8 ? "Executed at"
				: "Accessed",
		    address);
	else
		for (uint32_t i = 0; i < exception->parameter_count; i++)
			put(r, "Parameter %" PRIu32 ": 0x%" PRIx64 "\n", i, exception->parameters[i]);
}

/* The exception, and the thread that has raised it.  Returns the number of this thread. */
static uint32_t put_exception(struct report_state *r, const struct minidump_exception *exception)
{
	struct minidump_thread thread = { .id = 0 };
	const char *name = exception_name(exception->code);
	const uint32_t number = find_thread(r, exception->thread, &thread);
	const bool listed = number < r->dump.threads.count;
	const uint64_t address = r->processor && r->processor->size == 4 ? (uint32_t)exception->address
									 : exception->address;
	put(r, "\nException: %s%s0x%08" PRIx32 "%s\n", name ? name : "", name ? " (" : "", exception->code,
	    name ? ")" : "");
	show_module(r, address);
	put(r, "ExceptionAddress: %0*" PRIx64 "\n", r->processor && r->processor->size == 4 ? 8 : 16, address);
	put_access(r, exception);
	if (listed)
		put(r, "\nThread %" PRIu32 " (crashed), id 0x%" PRIx32 "\n", number, exception->thread);
	else
		put(r, "\nThread (crashed), id 0x%" PRIx32 ", which is not listed\n", exception->thread);
	put_context(r, exception->context.size ? exception->context : thread.context);
	return number;
}

/* ------------------------------------------------------------------------------------------------ all of it */

/* The exception and the threads. */
static void put_stacks(struct report_state *r)
{
	struct minidump_exception exception;
	const bool crashed = minidump_exception(&r->dump, &exception);
	const uint32_t number = crashed ? put_exception(r, &exception) : r->dump.threads.count;
	put_threads(r, number);
}

/* A look-up must know which build of a module is meant.  So the modules with places in the stacks come before these. */
static void put_all(struct report_state *r)
{
	struct text *text = r->text, stacks = { .bytes = NULL };
	put_head(r);
	put_system(r);
	r->text = &stacks;
	put_stacks(r);
	r->text = text;
	put_modules(r, true);
	if (stacks.bytes)
		text_add_bytes(text, stacks.bytes, stacks.length);
	put_modules(r, false);
	text->no_memory |= stacks.no_memory;
	text_clear(&stacks);
}

bool dump_report(const struct dump_input *input, const struct dump_image_source *images, struct text *text,
		 struct dump_problems *problems)
{
	struct report_state r = { .text = text, .problems = problems };
	if (!minidump_open(&r.dump, input, problems))
		return false;
	r.shown = calloc((size_t)r.dump.modules.count + 1, sizeof *r.shown);
	const bool good = dump_space_open(&r.space, &r.dump, images) && r.shown;
	if (good)
		put_all(&r);
	dump_space_close(&r.space);
	free(r.shown);
	return good && !text->no_memory && !problems->text.no_memory;
}
