/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - differences as people read them
 *
 *     0x004016c7-0x004016d1: function, line
 *     < KeBugCheckEx
 *     < ke/bug.c:18
 *     > fingerprint
 *     > /src/ke/bug.h:5
 *
 * "<" is what the table says and ">" what the reference says, as addr2line prints it.  Addresses that were compared one
 * after the other and differ in just the same way are one range.
 */
#ifndef DIFF_REPORT_H
#define DIFF_REPORT_H

#include "diff/compare.h"
#include "diff/meter.h"
#include "tool/out.h"
#include "tool/record.h"
#include "tool/text.h"

struct report {
	struct out *out;
	struct meter *meter;
	const struct record_style *style;
	unsigned ignored;		/* classes, as bits */
	bool brief;			/* print no differences */
	bool inlines;			/* print all frames */
	bool quick;			/* only the ends of rows are compared: the summary says so */

	/* The run of addresses that will be printed as one range; empty if last_count is 0. */
	uint64_t first, last;
	size_t run;
	unsigned classes;
	struct text body, next;

	size_t compared, differ, only_ignored;
	size_t by_class[DIFF_CLASSES];
};

/* Take the comparison of one address into account.  HERE's paths are those to show.  False: out of memory. */
bool report_add(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
		const struct diff_answer *there);

/* Print what is still held back. */
void report_flush(struct report *report);

/* Print how many of which class there are, on standard error. */
void report_summary(const struct report *report);

void report_clear(struct report *report);

#endif
