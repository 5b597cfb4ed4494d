/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff-report.h - prints differences
 *
 *     0x004016c7-0x004016d1: function, line
 *     < KeBugCheckEx
 *     < ke/bug.c:18
 *     > fingerprint
 *     > /src/ke/bug.h:5
 *
 * "<" marks the answer of the table, and ">" that of the reference, in the form in which addr2line prints it.
 * Addresses that are compared one after another, ascend, and have the same answers on both sides are
 * printed as one range.
 *
 * If standard error is a terminal, a line on it says how far a long comparison is.
 */
#ifndef DIFF_DIFF_REPORT_H
#define DIFF_DIFF_REPORT_H

#include "diff/compare.h"
#include "diff/diff.h"
#include "tool/strbuf.h"

#include <time.h>

/* All zeros at first, but for DIFF. */
struct report {
	const struct diff *diff;

	/* The current range, which has not been printed yet: RUN addresses, from FIRST to LAST, have the answers in
	   BODY.  NEXT is a buffer for those of the next address. */
	uint64_t first, last;
	size_t run;
	unsigned classes;
	struct strbuf body, next;

	/* Numbers of addresses: of all that were compared; of those that differ in a class that is not ignored; of
	   those that differ only in ignored classes; and for each class, of those that differ in it. */
	size_t compared, differ, only_ignored;
	size_t by_class[DIFF_CLASSES];

	bool meter_wanted; /* standard error is a terminal */
	bool meter_shown;  /* the line that says how far the comparison is, is on the terminal now */
	time_t meter_last; /* when it was printed last */
};

/* Add the answers for one address, which differ in CLASSES (0: not at all).  Paths are printed unchanged.
   False: out of memory. */
bool report_add(struct report *report, uint64_t address, unsigned classes, const struct diff_answer *here,
		const struct diff_answer *there);

/* Print the current range, if there is one; call this after the last report_add(). */
void report_flush(struct report *report);

/* Show how far the comparison is, from now on, if standard error is a terminal. */
void report_start_meter(struct report *report);

/* Erase the line that says how far the comparison is; call this before anything else is printed. */
void report_hide_meter(struct report *report);

/* Print on standard error how many addresses differ, and how many in each class. */
void report_summary(const struct report *report);

void report_clear(struct report *report);

#endif
