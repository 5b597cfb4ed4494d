/* SPDX-License-Identifier: GPL-2.0-or-later */
/* records.h - the main job of rossym-addr2line: a record for each address of the input, in the order of the input */
#ifndef ADDR2LINE_RECORDS_H
#define ADDR2LINE_RECORDS_H

#include "tool/input.h"
#include "answer/query.h"
#include "answer/record.h"

/* Visit INPUT (this sets its visitor) and print records to INPUT->out, in STYLE.  FLAGS are those of the look-ups.
   With more than one of WORKERS, that many threads answer lines of standard input.  False after a message. */
bool records_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
		 unsigned workers);

#endif
