// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/report.h"
#include "dump/report-kernel.h"
#include "dump/report-minidump.h"
#include "dump/report-modules.h"

#include <stdlib.h>

/* A look-up must know which build of a module is meant.  So the modules with places in the stacks come before these. */
static void put_all(struct report_state *r)
{
	struct text *text = r->text, stacks = { .bytes = NULL };
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
		text_add_bytes(text, stacks.bytes, stacks.length);
	report_modules(r, false);
	text->no_memory |= stacks.no_memory;
	text_clear(&stacks);
}

bool dump_report(const struct dump_input *input, const struct dump_image_source *images, struct text *text,
		 struct dump_problems *problems)
{
	struct report_state r = { .text = text, .problems = problems };
	bool good = dump_contents_open(&r.dump, input, problems);
	r.shown = good ? calloc((size_t)r.dump.module_count + 1, sizeof *r.shown) : NULL;
	good = r.shown && dump_space_open(&r.space, &r.dump, images);
	if (good)
		put_all(&r);
	dump_space_close(&r.space);
	dump_contents_close(&r.dump);
	free(r.shown);
	return good && !text->no_memory && !problems->text.no_memory;
}
