/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - a dump as text, in forms in which logs have the same facts
 *
 * First come the modules that have places in the stacks: a look-up must know which build of a module is meant.  Then come the
 * exception, the crashed thread, the other threads, and all other modules.
 *
 *     start             end                 module name		WinDbg's lm, with the DateStamp
 *     0000000140000000  0000000140049000    zoo.exe   DateStamp 6553f100
 *
 *     Thread 0 (crashed), id 0x24, name main
 *      0  zoo.exe + 0x14b3					Breakpad's minidump_stackwalk; "unloaded module" can follow
 *      1  zoo.exe + 0x1756					where a call returns to
 *         unwound, proved					how that is known: unwind/unwind.h
 */
#ifndef REPORT_H
#define REPORT_H

#include "dump/images.h"
#include "tool/strbuf.h"

enum { REPORT_PROBLEMS = 20 }; /* the most that are reported; more are counted */

/* All zeros: there is none. */
struct report_problems {
	struct strbuf text; /* a line for each of the first REPORT_PROBLEMS */
	uint32_t count;
};

/* Append the report to REPORT.  IMAGES, which may be NULL, have the memory that the dump lacks.  False: INPUT is no dump
   that can be read, and PROBLEMS say why, or there is no memory. */
bool dump_report(const struct dump_input *input, const struct dump_image_source *images, struct strbuf *report,
		 struct report_problems *problems);

#endif
