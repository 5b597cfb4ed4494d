// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-minidump.h"
#include "report/exception-names.h"
#include "report/report-exception.h"
#include "report/report-stack.h"

#include <inttypes.h>
#include <strings.h>

static void put_system(struct report_state *r)
{
	enum { PLATFORM_NT = 2 };
	const struct minidump *dump = &r->dump.minidump;
	const struct minidump_system *system = &dump->system;
	if (dump->has_system) {
		r->processor = rs_dump_processor(system->machine);
		strbuf_add(r->text, "System: ");
		if (system->platform == PLATFORM_NT)
			strbuf_add(r->text, "Windows");
		else
			strbuf_addf(r->text, "platform 0x%" PRIx32, system->platform);
		strbuf_addf(r->text, " %" PRIu32 ".%" PRIu32 ".%" PRIu32 ", ", system->major, system->minor,
			    system->build);
		if (r->processor)
			strbuf_addf(r->text, "%s, %u processor%s\n", r->processor->name, system->processors,
				    system->processors == 1 ? "" : "s");
		else
			strbuf_addf(r->text, "unknown processor 0x%x, whose registers are not read\n", system->machine);
	}
	if (dump->has_process)
		strbuf_addf(r->text, "Process: 0x%" PRIx32 "\n", dump->process);
}

/* Warn if a 64-bit program has written the dump of a 32-bit process: the dump's CONTEXTs are then those of WOW64's
   64-bit code. */
static void put_wow64(struct report_state *r)
{
	if (!r->processor || r->processor->machine != PROCESSOR_AMD64)
		return;
	for (uint32_t i = 0; i < r->dump.module_count; i++)
		if (rs_dump_module(&r->dump, i, &r->module) && strcasecmp(r->module.name, "wow64cpu.dll") == 0) {
			strbuf_add(r->text,
				   "A process of 32 bits: of its threads, only what runs in 64 bits is read.\n");
			return;
		}
}

void report_minidump_head(struct report_state *r)
{
	strbuf_add(r->text, "Minidump");
	if (r->dump.minidump.time)
		report_time(r, r->dump.minidump.time);
	strbuf_add_char(r->text, '\n');
	put_system(r);
	put_wow64(r);
}

/* ------------------------------------------------------------------------------------------------ threads */

static void put_context(struct report_state *r, struct minidump_location location)
{
	report_context(r, location.offset, location.size);
}

/* Append the name of the thread with this ID, if it has one, and end the line. */
static void end_heading(struct report_state *r, uint32_t id)
{
	if (rs_minidump_read_thread_name(&r->dump.minidump, id, r->module.name))
		strbuf_addf(r->text, ", name %s", r->module.name);
	strbuf_add_char(r->text, '\n');
}

/* Append all threads but the one that crashed. */
static void put_threads(struct report_state *r)
{
	struct minidump_thread thread;
	for (uint32_t i = 0; i < r->dump.minidump.threads.count; i++) {
		if (i == r->dump.minidump.crashed || !rs_minidump_read_thread(&r->dump.minidump, i, &thread))
			continue;
		strbuf_addf(r->text, "\nThread %" PRIu32 ", id 0x%" PRIx32, i, thread.id);
		end_heading(r, thread.id);
		put_context(r, thread.context);
	}
}

/* ------------------------------------------------------------------------------------------------ the crash */

/* Append the exception, and the thread that has raised it. */
static void put_exception(struct report_state *r)
{
	const struct minidump *dump = &r->dump.minidump;
	const struct minidump_exception *exception = &dump->exception;
	struct minidump_thread thread = { .id = 0 };
	const char *name = exception_name(exception->code);
	const bool listed = rs_minidump_read_thread(dump, dump->crashed, &thread);
	const uint64_t address = report_is_narrow(r) ? (uint32_t)exception->address : exception->address;
	strbuf_addf(r->text, "\nException: %s%s0x%08" PRIx32 "%s\n", name ? name : "", name ? " (" : "",
		    exception->code, name ? ")" : "");
	report_mark_module(r, address);
	strbuf_addf(r->text, "ExceptionAddress: %0*" PRIx64 "\n", report_is_narrow(r) ? 8 : 16, address);
	report_parameters(r, exception->code, exception->parameters, exception->parameter_count);
	if (listed)
		strbuf_addf(r->text, "\nThread %" PRIu32 " (crashed), id 0x%" PRIx32, dump->crashed, exception->thread);
	else
		strbuf_addf(r->text, "\nThread (crashed), id 0x%" PRIx32 ", which is not listed", exception->thread);
	end_heading(r, exception->thread);
	put_context(r, exception->context.size ? exception->context : thread.context);
}

void report_minidump_stacks(struct report_state *r)
{
	if (r->dump.minidump.has_exception)
		put_exception(r);
	put_threads(r);
}
