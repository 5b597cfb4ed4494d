// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/diff-report.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/mask.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------------- one answer */

/* Append NAME, or ?? for NULL, with its control characters masked, because it is from an untrusted file, and the report
   goes to a terminal. */
static void add_name(struct strbuf *text, const char *name)
{
	name = name ? name : "??";
	strbuf_add_masked(text, name, strlen(name));
}

static void add_function(struct strbuf *text, const struct record_style *style, const char *function)
{
	char *plain = function && style->demangle ? demangle(function, style->no_recursion_limit) : NULL;
	add_name(text, plain ? plain : function);
	free(plain);
}

/* Append the lines of ANSWER as rossym-addr2line prints them, each after MARK, which is "< " or "> ", as diff prints it. */
static void add_answer(struct strbuf *text, const struct diff *diff, const char *mark, const struct diff_answer *answer)
{
	const struct record_style *style = diff->style;
	const size_t count = answer->count == 0 || !diff->inlines ? 1 : answer->count;
	for (size_t i = 0; i < count; i++) {
		const struct rossym_frame *frame = answer->count > 0 ? &answer->frames[i] : NULL;
		strbuf_add(text, mark);
		if (i > 0 && style->pretty)
			strbuf_add(text, " (inlined by) ");
		if (style->functions) {
			add_function(text, style, frame ? frame->function : NULL);
			strbuf_add(text, !style->pretty ? "\n" : frame ? " at " : " ");
			strbuf_add(text, style->pretty ? "" : mark);
		}
		add_name(text, frame ? frame->file : NULL);
		if (frame && frame->line)
			strbuf_addf(text, ":%u\n", (unsigned)frame->line);
		else
			strbuf_add(text, frame ? ":?\n" : ":0\n");
	}
}

/* ---------------------------------------------------------------------------------------------- ranges */

void report_start_meter(struct report *report)
{
	report->meter_wanted = isatty(STDERR_FILENO) != 0;
	report->meter_last = time(NULL);
}

void report_hide_meter(struct report *report)
{
	enum { WIDTH = 70 };
	if (!report->meter_shown)
		return;
	fprintf(stderr, "\r%*s\r", WIDTH, "");
	fflush(stderr);
	report->meter_shown = false;
}

/* Print how far the comparison is, first when it has taken a second, and then about every second. */
static void show_meter(struct report *report)
{
	const time_t now = report->meter_wanted ? time(NULL) : report->meter_last;
	if (now == report->meter_last)
		return;
	report->meter_last = now;
	/* Standard output may be the same terminal, so what it has buffered must come before this line. */
	report_hide_meter(report);
	out_flush(report->diff->out);
	fprintf(stderr, "\r%zu of %" PRIu64 " addresses compared (%u %%)", report->compared,
		report->diff->targets.count,
		(unsigned)((uint64_t)report->compared * 100 / report->diff->targets.count));
	fflush(stderr);
	report->meter_shown = true;
}

void report_flush(struct report *report)
{
	struct out *out = report->diff->out;
	if (report->run == 0)
		return;
	report_hide_meter(report);
	out_text(out, "0x");
	out_hex(out, report->first, report->diff->style->digits);
	if (report->run > 1) {
		out_text(out, "-0x");
		out_hex(out, report->last, report->diff->style->digits);
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

/* Add an address to the current range, if its answers are those of the range; else begin a new one. */
static bool add_to_range(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
			 const struct diff_answer *there)
{
	report->next.length = 0;
	add_answer(&report->next, report->diff, "< ", here);
	add_answer(&report->next, report->diff, "> ", there);
	if (report->next.no_memory)
		return false;
	if (report->run > 0 && classes == report->classes && address >= report->last &&
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
	report->classes = classes;
	report->run = 1;
	return true;
}

bool report_add(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
		const struct diff_answer *there)
{
	const unsigned reported = classes & ~report->diff->request->ignored;
	bool good = true;
	report->compared++;
	report->differ += reported != 0;
	report->only_ignored += classes && !reported;
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		report->by_class[i] += (classes & DIFF_BIT(i)) != 0;
	if (!reported)
		report_flush(report);
	else if (!report->diff->request->brief)
		good = add_to_range(report, address, reported, here, there);
	show_meter(report);
	return good;
}

/* --------------------------------------------------------------------------------------------- summary */

/* Returns the verb for COUNT addresses. */
static const char *differ_verb(size_t count)
{
	return count == 1 ? "differs" : "differ";
}

void report_summary(const struct report *report)
{
	const char *addresses = report->compared == 1 ? "address" : "addresses";
	if (report->diff->request->all == DIFF_ROWS)
		diag("of each row, only the first and the last byte were compared");
	if (report->differ + report->only_ignored == 0) {
		diag("%zu %s compared: no differences", report->compared, addresses);
		return;
	}
	diag("%zu %s compared: %zu %s, %zu %s only in what is ignored", report->compared, addresses, report->differ,
	     differ_verb(report->differ), report->only_ignored, differ_verb(report->only_ignored));
	for (size_t i = 0; i < DIFF_CLASSES; i++)
		if (report->by_class[i] > 0)
			diag("%9zu %s%s", report->by_class[i], diff_class_names[i],
			     report->diff->request->ignored & DIFF_BIT(i) ? " (ignored)" : "");
}

void report_clear(struct report *report)
{
	strbuf_clear(&report->body);
	strbuf_clear(&report->next);
}
