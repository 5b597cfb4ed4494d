// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report-kernel.h"
#include "report/bugcheck-names.h"
#include "report/exception-names.h"
#include "report/report-exception.h"
#include "report/report-stack.h"

#include <inttypes.h>

static const char *kind_name(uint32_t type)
{
	static const char *const kinds[] = { NULL,     "full",	    "kernel", "header", "triage", "full bitmap",
					     "kernel", "automatic", "kernel", "kernel", "full" };
	return type < sizeof kinds / sizeof *kinds && kinds[type] ? kinds[type] : "unknown";
}

void report_kernel_head(struct report_state *r)
{
	enum { SECOND = 10000000 };			/* in units of 100 ns */
	const uint64_t to_1970 = UINT64_C(11644473600); /* seconds from 1601 to 1970 */
	const struct kernel_dump *dump = &r->dump.kernel;
	r->processor = rs_dump_processor_of_image(dump->machine);
	strbuf_addf(r->text, "Kernel memory dump (%s)", kind_name(dump->type));
	if (dump->time / SECOND > to_1970 && dump->time / SECOND - to_1970 < UINT32_MAX)
		report_time(r, dump->time / SECOND - to_1970);
	strbuf_addf(r->text, "\nSystem: Windows build %" PRIu32 ", ", dump->build);
	if (r->processor)
		strbuf_addf(r->text, "%s, %" PRIu32 " processor%s\n", r->processor->name, dump->processors,
			    dump->processors == 1 ? "" : "s");
	else
		strbuf_addf(r->text, "unknown processor 0x%" PRIx32 ", whose registers are not read\n", dump->machine);
}

/* Append the bugcheck: its name, the line that the blue screen has, and what its parameters mean. */
static void put_bugcheck(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	const char *name = bugcheck_name(dump->bugcheck);
	const int digits = dump->wide ? 16 : 8;
	strbuf_addf(r->text, "\nBugcheck: %s%s0x%08" PRIX32 "%s\n", name ? name : "", name ? " (" : "", dump->bugcheck,
		    name ? ")" : "");
	strbuf_addf(r->text,
		    "*** STOP: 0x%08" PRIX32 " (0x%0*" PRIX64 ", 0x%0*" PRIX64 ", 0x%0*" PRIX64 ", 0x%0*" PRIX64 ")\n",
		    dump->bugcheck, digits, dump->parameters[0], digits, dump->parameters[1], digits,
		    dump->parameters[2], digits, dump->parameters[3]);
	for (unsigned i = 0; i < KERNEL_DUMP_PARAMETERS; i++) {
		const char *meaning = bugcheck_meaning(dump->bugcheck, i);
		report_mark_module(r, dump->parameters[i]);
		if (!meaning)
			continue;
		strbuf_addf(r->text, "    parameter %u: %s", i + 1, meaning);
		name = exception_name((uint32_t)dump->parameters[i]);
		if (i == 0 && name && bugcheck_has_exception(dump->bugcheck))
			strbuf_addf(r->text, ": %s", name);
		strbuf_add_char(r->text, '\n');
	}
}

static void put_exception(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	const char *name = exception_name(dump->exception.code);
	if (!dump->exception.code)
		return;
	report_mark_module(r, dump->exception.address);
	strbuf_addf(r->text, "\nException record: %s%s0x%08" PRIx32 "%s at %0*" PRIx64 "\n", name ? name : "",
		    name ? " (" : "", dump->exception.code, name ? ")" : "", dump->wide ? 16 : 8,
		    dump->exception.address);
	report_parameters(r, dump->exception.code, dump->exception.parameters, dump->exception.parameter_count);
}

/* Append a stack for each CONTEXT whose address is a parameter of the bugcheck, if the dump has that memory. */
static void put_named_contexts(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	for (unsigned i = 0; i < KERNEL_DUMP_PARAMETERS; i++)
		if (bugcheck_is_context(dump->bugcheck, i))
			report_context_in_memory(r, dump->parameters[i],
						 "\nThread 0, by the context record of the bugcheck\n");
}

void report_kernel_stacks(struct report_state *r)
{
	const struct kernel_dump *dump = &r->dump.kernel;
	put_bugcheck(r);
	put_exception(r);
	strbuf_add(r->text, "\nThread 0 (crashed), by the context record\n");
	report_context(r, dump->context, REGISTERS_CONTEXT);
	put_named_contexts(r);
	if (dump->type == KERNEL_DUMP_TRIAGE) {
		strbuf_add(r->text, "\nThread 0, by what KeBugCheckEx() has left\n");
		report_stack(r, dump->triage.stack.address);
	} else if (!r->dump.memory.paging) {
		strbuf_add(r->text, "\nOf a dump of this kind the memory is not read.\n");
	}
}
