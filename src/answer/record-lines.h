/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-lines.h - the fast path of printing text, for records in GNU addr2line's style whose frames are plain
 *
 * A frame is plain if it has a function, a file and a line, and both strings are short and printed as the table has
 * them.  The reference path is record_text() for each record.  With that, a million addresses take 1.9 times as long
 * with -f, 1.4 times with -f -i, 1.3 times with -a -f -i.  tests/tool/unit-record.c checks that both print the same.
 */
#ifndef ANSWER_RECORD_LINES_H
#define ANSWER_RECORD_LINES_H

#include "tool/out.h"
#include "answer/record-style.h"

/* Print the records from number FROM on, up to the first with a frame that is not plain.  Returns the number of that
   record; records->count if all were printed.  Prints none, and returns FROM, if STYLE has options that
   the fast path lacks. */
size_t record_lines(const struct record_style *style, struct out *out, const struct records *records, size_t from);

#endif
