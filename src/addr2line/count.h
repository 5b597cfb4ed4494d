/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.h - --count: how many addresses of the input are in each function, file or line
 *
 * Counting goes by the pointers that the library hands out, which takes no longer than the look-up.  Names are made
 * when everything has been counted; pointers that stand for the same name then become one line.
 */
#ifndef ADDR2LINE_COUNT_H
#define ADDR2LINE_COUNT_H

#include "addr2line/command.h"
#include "tool/input.h"
#include "answer/query.h"

/* Visit INPUT (this sets its visitor) and print the counts to INPUT->out.  False after a message. */
bool count_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
	       enum count_by by);

#endif
