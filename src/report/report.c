// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "report/report.h"
#include "report/report-kernel.h"
#include "report/report-minidump.h"
#include "report/report-modules.h"

#include <stdlib.h>

/* Append the whole report.  The stacks are written to another text first, because that marks the modules which
   must come before them. */
static void put_all(struct report_state *r)
{
	struct strbuf *text = r->text, stacks = { .bytes = NULL };
	if (r->dump.is_kernel)
		report_kernel_head(r);
	else
		report_minidump_head(r);
	r->text = &stacks;
	if (r->dump.is_kernel)
		report_kernel_stacks(r);
	else
		report_minidump_stacks(r);
	r->text = text;
	report_modules(r, true);
	if (stacks.bytes)
		strbuf_add_bytes(text, stacks.bytes, stacks.length);
	report_modules(r, false);
	text->no_memory |= stacks.no_memory;
	strbuf_clear(&stacks);
}

/* Store a line for a problem. */
static void say_problem(void *context, const char *what, bool in_memory, uint64_t number, const char *wrong)
{
	struct report_problems *problems = context;
	struct strbuf line = { .bytes = NULL };
	strbuf_add(&line, what);
	strbuf_add(&line, in_memory ? " at address 0x" : " at offset 0x");
	strbuf_add_hex(&line, number);
	strbuf_add(&line, ": ");
	strbuf_add(&line, wrong);
	strbuf_add_char(&line, '\n');
	problems->text.no_memory |= line.no_memory;
	if (++problems->count <= REPORT_PROBLEMS && line.bytes)
		strbuf_add(&problems->text, line.bytes);
	strbuf_clear(&line);
}

bool dump_report(const struct dump_input *input, const struct dump_image_source *images, struct strbuf *text,
		 struct report_problems *problems)
{
	struct dump_problems sink = { .say = say_problem, .context = problems };
	struct report_state r = { .text = text, .problems = &sink };
	bool good = rs_dump_contents_open(&r.dump, input, &sink);
	r.shown = good ? calloc((size_t)r.dump.module_count + 1, sizeof *r.shown) : NULL;
	good = r.shown && rs_dump_space_open(&r.space, &r.dump, images);
	if (good)
		put_all(&r);
	rs_dump_space_close(&r.space);
	rs_dump_contents_close(&r.dump);
	free(r.shown);
	return good && !text->no_memory && !problems->text.no_memory;
}
