/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.h - writes a crash dump of Windows as text, in forms of other programs that the log reader (src/log) can read
 *
 * First come the modules with addresses in the stacks: a log reader that looks up the addresses must already know which
 * builds of the modules they are in.  Then come the exception, the crashed thread, the other threads, and all other
 * modules.
 *
 *     start             end                 module name		WinDbg's lm, with the DateStamp
 *     0000000140000000  0000000140049000    zoo.exe   DateStamp 6553f100
 *
 *     Thread 0 (crashed), id 0x24, name main
 *      0  zoo.exe + 0x14b3					Breakpad's form; a line "unloaded module" can follow
 *      1  zoo.exe + 0x1756					a return address
 *         unwound, proved					how this caller was found: unwind/unwind.h
 */
#ifndef REPORT_H
#define REPORT_H

#include "dump/images.h"
#include "tool/strbuf.h"

enum { REPORT_PROBLEMS = 20 }; /* the most problems that are reported; more are only counted */

/* All zeros: no problem. */
struct report_problems {
	struct strbuf text; /* a line for each of the first REPORT_PROBLEMS */
	uint32_t count;
};

/* Append the report on the dump INPUT to REPORT.  IMAGES, which may be NULL, supplies bytes that the dump lacks.
   False: no heap memory is left; or INPUT cannot be read as a dump, and PROBLEMS say why. */
bool write_dump_report(const struct dump_input *input, const struct dump_image_source *images, struct strbuf *report,
		       struct report_problems *problems);

#endif
