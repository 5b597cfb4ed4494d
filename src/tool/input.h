/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - what a program is asked: the one loop over operands, or over standard input as lines or as raw numbers
 *
 * The loop reads, cuts the input into addresses, and calls a visitor for them.  It alone prints the messages about
 * input that cannot be read, is too long, or ends too early, so they are the same in every program.
 *
 * Standard input comes in chunks of as many lines as there are.  After each chunk, everything in it must be answered
 * before the next read: a process that sends one line and waits for the answer gets it.
 */
#ifndef TOOL_INPUT_H
#define TOOL_INPUT_H

#include "tool/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of a visitor.  All but text() may be NULL.  Each returns false to end the loop, after a message. */
struct input_visitor {
	/* About COUNT addresses come next. */
	bool (*expect)(void *data, uint64_t count);

	/* An operand or a line, without its newline; the visitor may change it. */
	bool (*text)(void *data, char *text);

	/* Take lines from *TEXT up to END as long as a quick way serves, and move *TEXT after them.  The line at *TEXT,
	   if there is one, then goes to text(). */
	bool (*quick)(void *data, char **text, char *end);

	/* COUNT raw numbers, at most INPUT_NUMBERS. */
	bool (*numbers)(void *data, const uint64_t *numbers, size_t count);

	/* The operands, or a chunk, have been taken. */
	bool (*finish)(void *data);

	/* For a visitor that answers chunks later: take one, or call input_lines(); everything taken earlier must be
	   answered when settle() returns, and what somebody may wait for when before_read() returns. */
	bool (*chunk)(void *data, char *text, char *end);
	bool (*settle)(void *data);
	void (*before_read)(void *data);
};

enum { INPUT_NUMBERS = 64 };

struct input {
	struct out *out; /* flushed before a read that may wait; the loop ends when it has an error */
	char **operands;
	int operand_count;    /* 0: read standard input */
	unsigned number_size; /* of a raw number in bytes, 4 or 8; 0: the input is lines */
	/* leave a line out that is too long; else it is an empty one, which means address 0 */
	bool omit_too_long;
	size_t read_size; /* how much to read at a time; 0: what suits most */
	const struct input_visitor *visitor;
	void *data; /* passed to the visitor */
};

/* Visit everything.  Returns false if an error ended the loop, after a message; true also if INPUT->out has
   an error. */
bool input_run(const struct input *input);

/* Visit the lines of a chunk, from TEXT up to END, as input_run() does it; for the visitor's chunk(). */
bool input_lines(const struct input *input, char *text, char *end);

#endif
