/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded.h - --folded: counts the stacks of the input, and prints them in the folded format of flamegraph.pl
 *
 * A line of the output is "outermost;...;innermost COUNT".  While stacks are counted, a stack is a string of function
 * numbers, four bytes each.  Names are made after the last stack; then stacks with the same names become one line.
 */
#ifndef ADDR2LINE_FOLDED_H
#define ADDR2LINE_FOLDED_H

#include "answer/query.h"
#include "answer/record.h"
#include "tool/input.h"

/* An image whose addresses are in the stacks. */
struct folded_image {
	/* RULES are for the innermost address of a stack, where the program was; CALLERS for the others, which can be
	   return addresses.  If there are several images, both must take numbers as RVAs. */
	struct query_rules rules, callers;
	struct rossym_image *inlines; /* for the style: shows the frames around inlined calls, unless it is NULL */
};

/* Read the lines of INPUT, whose visitor this sets, and print the stacks to INPUT->out.  If there are several images,
   each address must name the module that it is in.  Returns false after a message. */
bool folded_run(struct input *input, struct folded_image *images, size_t count, unsigned flags,
		struct record_style *style);

#endif
