// SPDX-License-Identifier: GPL-2.0-or-later
/* Rows from DWARF made by hand: cases, and what is not only rows. */
#include "config.h"
#include "tests/lib/debugcases.h"

/* Calls that are inlined into one another more often than a chain can be long, in lines 1, 2 and so on of a.c.  The input is how many, and
   how many are kept. */
static void deep_chain(struct debugcases *d, const char *name)
{
	static char want[16384];
	char *at, call[64];
	unsigned calls = 0, kept = 0;
	sscanf(d->cases.input, "%u %u", &calls, &kept);
	debugcases_statements(d, "with deep");
	for (unsigned i = 1; i <= calls; i++) {
		snprintf(call, sizeof call, "info: 3 =in1 @1000 @1008 1 %x", i % 250);
		debugcases_statement(d, call);
	}
	snprintf(call, sizeof call, "info: %x*0", calls + 1);
	debugcases_statement(d, call);
	debugcases_make(d, "end\nrows 1000/1/900 1008/1/901 1010\nline: }");
	at = want + sprintf(want, "1000 in1 /src/a.c:900 < in1 /src/a.c:%u", calls % 250);
	for (unsigned i = kept - 1; i > 1; i--)
		at += sprintf(at, " < in1 /src/a.c:%u", i % 250);
	sprintf(at, " < outer /src/a.c:1\n1008 outer /src/a.c:901\n1010 _rossym_end__ :0");
	debugcases_answer(d, want, 0, name);
}

static uint8_t *read_info; /* the .debug_info of the image that is being read */

static void give_back(void *context, size_t units)
{
	size_t *given = context;
	if (units != DISCARD_ALL)
		memset(read_info, 0xff, *given = units);
}

/* Whether the image has the rows of the input, though units lose their bytes when they were read. */
static void given_back(struct debugcases *d, const char *name)
{
	struct rossym_error err = { .what = "" };
	struct rs_pe pe = { 0 };
	size_t size = 0, given = 0;
	struct debuginfo_options giving = { .have_read = give_back, .context = &given };
	debugcases_free(d);
	debugcases_make(d, d->image);
	uint8_t *bytes = debugpe_build(&d->m, &size);
	struct rs_source source = { .memory = bytes, .fd = -1, .size = size };
	ok(bytes && rs_pe_read(&pe, &source, &err) == 0, "%s: the image", name);
	for (unsigned i = 0; i < d->m.section_count; i++)
		if (strcmp(d->m.sections[i].name, ".debug_info") == 0)
			read_info = bytes + pe.sections[i].raw_offset;
	ok(draft_read(&d->di, &pe, &source, &giving, &err) == 0, "... read");
	is_str(debugcases_trimmed(debugpe_rows(&d->di)), d->cases.input, "... and names are there");
	is_uint(given, debugcases_section(d, "info")->n, "... all units");
	rs_pe_clear(&pe);
	free(bytes);
}

int main(void)
{
	static const struct debugcases_kind more[] = { { "deep", deep_chain },
						       { "given_back", given_back },
						       { NULL, NULL } };
	char why[128];
	ok(!rs_debuginfo_is_partial(&(struct debuginfo_counts){ .dwarf_code = 10, .dwarf_code_lost = 1 }, why,
				    sizeof why),
	   "a tenth is allowed");
	ok(rs_debuginfo_is_partial(&(struct debuginfo_counts){ .dwarf_code = 9, .dwarf_code_lost = 1 }, why,
				   sizeof why),
	   "a ninth is not");
	ok(rs_debuginfo_is_partial(&(struct debuginfo_counts){ .unreadable = 1 }, why, sizeof why),
	   "nor is a section that cannot be read");
	is_str(why, "1 of its debug sections cannot be read", "which is told");
	return debugcases_run("tests/debuginfo/unit-dwarf.cases", "dwarf", more);
}
