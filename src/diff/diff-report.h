/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff-report.h - differences, as they are printed for people
 *
 *     0x004016c7-0x004016d1: function, line
 *     < KeBugCheckEx
 *     < ke/bug.c:18
 *     > fingerprint
 *     > /src/ke/bug.h:5
 *
 * "<" marks what the table says and ">" what the reference says, in the form in which addr2line prints it.  Neighbours
 * that have the same answers on both sides are printed as one range.
 */
#ifndef DIFF_DIFF_REPORT_H
#define DIFF_DIFF_REPORT_H

#include "diff/compare.h"
#include "diff/meter.h"
#include "tool/out.h"
#include "answer/record.h"
#include "tool/strbuf.h"

struct report {
	struct out *out;
	struct meter *meter;
	const struct record_style *style;
	unsigned ignored; /* classes, as bits */
	bool brief;	  /* print no differences */
	bool inlines;	  /* print all frames */
	bool quick;	  /* only the ends of rows are compared: the summary says so */

	/* `run` neighbours from `first` to `last` have the answers in `body`, and have not been printed yet. */
	uint64_t first, last;
	size_t run;
	unsigned classes;
	struct strbuf body, next;

	size_t compared, differ, only_ignored;
	size_t by_class[DIFF_CLASSES];
};

/* Add the answers for one address, which differ in CLASSES.  The paths of HERE are printed as they are.  False: out
   of memory. */
bool report_add(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
		const struct diff_answer *there);

/* Print the last range. */
void report_flush(struct report *report);

/* Print on standard error how many addresses differ, and how many in each class. */
void report_summary(const struct report *report);

void report_clear(struct report *report);

#endif
