/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded.h - --folded: how often each stack of the input occurs, with the names that flame graphs are made of
 *
 * While stacks are counted, a stack is a text of function numbers, four bytes each.  Names are made when everything has
 * been counted; stacks of the same names then become one line.
 */
#ifndef ADDR2LINE_FOLDED_H
#define ADDR2LINE_FOLDED_H

#include "tool/input.h"
#include "answer/query.h"
#include "answer/record.h"

/* Visit the lines of INPUT (this sets its visitor) and print the stacks to INPUT->out.  RULES are for the address where
   the program was, CALLERS for all others of a line.  False after a message. */
bool folded_run(struct input *input, const struct query_rules *rules, const struct query_rules *callers, unsigned flags,
		struct record_style *style);

#endif
