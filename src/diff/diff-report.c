// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/diff-report.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------- one answer */

/* Append NAME with its control characters masked, because it is from an untrusted file, and the report
   goes to a terminal. */
static void add_masked(struct strbuf *text, const char *name)
{
	strbuf_add_masked(text, name, strlen(name));
}

static void add_function(struct strbuf *text, const struct record_style *style, const char *function)
{
	char *plain = function && style->demangle ? demangle(function, style->no_recursion_limit) : NULL;
	add_masked(text, plain ? plain : function ? function : "??");
	free(plain);
}

/* Append FRAME as rossym-addr2line prints it, with MARK before each line. */
static void add_frame(struct strbuf *text, const struct record_style *style, const char *mark,
		      const struct diff_frame *frame, bool outer)
{
	strbuf_add(text, mark);
	if (outer && style->pretty)
		strbuf_add(text, " (inlined by) ");
	if (style->functions) {
		add_function(text, style, frame->function);
		strbuf_add(text, style->pretty ? " at " : "\n");
		if (!style->pretty)
			strbuf_add(text, mark);
	}
	add_masked(text, frame->file ? frame->file : "??");
	strbuf_add(text, ":");
	if (frame->line)
		strbuf_add_decimal(text, frame->line);
	else
		strbuf_add(text, "?");
	strbuf_add(text, "\n");
}

/* Append the lines of ANSWER, each after MARK, which is "< " or "> ", as diff prints it. */
static void add_answer(struct strbuf *text, const struct report *report, const char *mark,
		       const struct diff_answer *answer)
{
	if (answer->count == 0) {
		strbuf_add(text, mark);
		if (report->style->functions) {
			strbuf_add(text, report->style->pretty ? "?? " : "??\n");
			if (!report->style->pretty)
				strbuf_add(text, mark);
		}
		strbuf_add(text, "??:0\n");
		return;
	}
	size_t count = report->inlines ? answer->count : 1;
	for (size_t i = 0; i < count; i++)
		add_frame(text, report->style, mark, &answer->frames[i], i > 0);
}

/* ---------------------------------------------------------------------------------------------- ranges */

static void print_address(struct out *out, uint64_t address, int digits)
{
	out_text(out, "0x");
	out_hex(out, address, digits);
}

void report_flush(struct report *report)
{
	struct out *out = report->out;
	if (report->run == 0)
		return;
	meter_hide(report->meter);
	print_address(out, report->first, report->style->digits);
	if (report->run > 1) {
		out_char(out, '-');
		print_address(out, report->last, report->style->digits);
	}
	const char *before = ": ";
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		if (report->classes & DIFF_BIT(i)) {
			out_text(out, before);
			out_text(out, diff_class_names[i]);
			before = ", ";
		}
	out_char(out, '\n');
	out_bytes(out, report->body.bytes, report->body.length);
	report->run = 0;
}

bool report_add(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
		const struct diff_answer *there)
{
	unsigned reported = classes & ~report->ignored;
	report->compared++;
	report->differ += reported != 0;
	report->only_ignored += classes && !reported;
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		report->by_class[i] += (classes & DIFF_BIT(i)) != 0;
	if (report->brief)
		return true;
	if (!reported) {
		report_flush(report);
		return true;
	}

	/* If the answers are those of the current range, add the address to it; else begin a new range. */
	report->next.length = 0;
	add_answer(&report->next, report, "< ", here);
	add_answer(&report->next, report, "> ", there);
	if (report->next.no_memory)
		return false;
	if (report->run > 0 && reported == report->classes && address >= report->last &&
	    strbuf_is_same(&report->next, &report->body)) {
		report->last = address;
		report->run += address != report->first;
		return true;
	}
	report_flush(report);
	struct strbuf body = report->body;
	report->body = report->next;
	report->next = body;
	report->first = report->last = address;
	report->classes = reported;
	report->run = 1;
	return true;
}

/* --------------------------------------------------------------------------------------------- summary */

void report_summary(const struct report *report)
{
	const char *addresses = report->compared == 1 ? "address" : "addresses";
	const char *differ = report->differ == 1 ? "differs" : "differ";
	const char *ignored = report->only_ignored == 1 ? "differs" : "differ";
	meter_hide(report->meter);
	if (report->quick)
		diag("of each row, only the first and the last byte were compared");
	if (report->differ + report->only_ignored == 0) {
		diag("%zu %s compared: no differences", report->compared, addresses);
		return;
	}
	diag("%zu %s compared: %zu %s, %zu %s only in what is ignored", report->compared, addresses, report->differ,
	     differ, report->only_ignored, ignored);
	for (size_t i = 0; i < DIFF_CLASSES; i++) {
		const char *note = report->ignored & DIFF_BIT(i) ? " (ignored)" : "";
		if (report->by_class[i] > 0)
			diag("%9zu %s%s", report->by_class[i], diff_class_names[i], note);
	}
}

void report_clear(struct report *report)
{
	strbuf_clear(&report->body);
	strbuf_clear(&report->next);
}
