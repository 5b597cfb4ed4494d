/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count.h - --count: counts the addresses of the input by function, file or line
 *
 * While addresses are counted, the key is the pointer to the string that the library returns, so no strings are copied
 * or compared.  Names are demangled and paths mapped after the last address; then keys with the same
 * name become one line.
 */
#ifndef ADDR2LINE_COUNT_H
#define ADDR2LINE_COUNT_H

#include "addr2line/command.h"
#include "tool/input.h"
#include "answer/query.h"

/* Read INPUT, whose visitor this sets, and print the counts to INPUT->out.  Returns false after a message. */
bool count_run(struct input *input, const struct query_rules *rules, unsigned flags, struct record_style *style,
	       enum count_by by);

#endif
