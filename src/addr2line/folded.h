/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded.h - --folded: counts the stacks of the input, and prints them in the folded format of flamegraph.pl
 *
 * A line of the output is "outermost;...;innermost COUNT".  While stacks are counted, a stack is a string of function
 * numbers, four bytes each.  Names are made after the last stack; then stacks with the same names become one line.
 */
#ifndef ADDR2LINE_FOLDED_H
#define ADDR2LINE_FOLDED_H

#include "tool/input.h"
#include "answer/query.h"
#include "answer/record.h"

/* Read the lines of INPUT, whose visitor this sets, and print the stacks to INPUT->out.  RULES are for the first
   address of a line, where the program was; CALLERS for the others, which can be return addresses.  Returns false
   after a message. */
bool folded_run(struct input *input, const struct query_rules *rules, const struct query_rules *callers, unsigned flags,
		struct record_style *style);

#endif
