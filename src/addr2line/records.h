/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.h - the main job of rossym-addr2line: prints a record for each address of the input, in the
   order of the input */
#ifndef ADDR2LINE_RECORDS_H
#define ADDR2LINE_RECORDS_H

#include "tool/input.h"
#include "answer/query.h"
#include "answer/record.h"

/* Read INPUT, whose visitor this sets, and print records to INPUT->out, in STYLE.  FLAGS: ROSSYM_LOOKUP_...  If
   WORKERS is more than 1, so many threads answer lines of standard input.  Returns false after a message. */
bool records_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
		 unsigned workers);

#endif
