/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-lines.h - the fast lane of printing text: records in GNU addr2line's form whose frames are plain
 *
 * A frame is plain if the table's strings are printed as they are, both short, and it has a line.  The plain twin is
 * record_text() for each record.  With that, a million addresses take 1.9 times as long with -f, 1.4 times with -f -i,
 * 1.3 times with -a -f -i.  tests/unit-record.c keeps both equal.
 */
#ifndef ANSWER_RECORD_LINES_H
#define ANSWER_RECORD_LINES_H

#include "tool/out.h"
#include "answer/record-style.h"

/* Print records from number FROM on, up to the first with a frame that is not plain.  Returns its number, or how many
   records there are.  Prints none if STYLE needs more than plain frames. */
size_t record_lines(const struct record_style *style, struct out *out, const struct records *records, size_t from);

#endif
