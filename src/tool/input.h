/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * input.h - the loop over the addresses that a program is given: operands, or lines or raw numbers of standard input
 *
 * The loop reads the input, cuts it into addresses, and calls a visitor for them.  It also prints the messages about
 * input that cannot be read, is too long, or ends too early, so they are the same in every program.
 *
 * Standard input is read in chunks of as many lines as have arrived.  A process may send one line and wait for its
 * answer.  So a visitor must print all answers before a read that may wait, and then standard output is flushed.  Lines
 * that have arrived together are answered with large writes.  Before a read from a file there is no flush, because
 * nobody waits for answers there.
 */
#ifndef TOOL_INPUT_H
#define TOOL_INPUT_H

#include "tool/out.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The functions of a visitor.  All but text() may be NULL.  To end the loop, a function prints a
   message and returns false. */
struct input_visitor {
	/* Called before a piece of the input, which has about COUNT addresses. */
	bool (*expect)(void *data, uint64_t count);

	/* Called for an operand or a line, without its newline; the visitor may change the text. */
	bool (*text)(void *data, char *text);

	/* Called before text().  Answers as many of the lines from *TEXT up to END as its fast path can, and moves
	   *TEXT after them.  Then text() is called for the line at *TEXT, unless *TEXT is END. */
	bool (*quick)(void *data, char **text, char *end);

	/* Called for COUNT raw numbers, at most INPUT_NUMBERS. */
	bool (*numbers)(void *data, const uint64_t *numbers, size_t count);

	/* Called after the last operand, and after the last line or number of each chunk. */
	bool (*finish)(void *data);

	/* For a visitor with threads, which answers chunks later.  chunk() gets a whole chunk: it may queue the chunk,
	   or call input_visit_lines().  settle() returns when all earlier chunks have been answered; before_read() returns
	   when all answers that somebody may be waiting for have been printed. */
	bool (*chunk)(void *data, char *text, char *end);
	bool (*settle)(void *data);
	void (*before_read)(void *data);
};

enum {
	INPUT_NUMBERS = 64,
	/* Bytes of the longest line that is read.  A line can be the name of a function; real names are shorter. */
	LINES_LENGTH_MAX = 1 << 20,
	/* How many bytes after the end of a chunk of lines are readable, for code that reads several bytes at once. */
	LINES_SLACK = 32,
};

struct input {
	struct out *out; /* flushed before a read that may wait; the loop ends when it has an error */
	char **operands;
	int operand_count;    /* how many operands there are; 0: read standard input */
	unsigned number_size; /* bytes of a raw number, 4 or 8; 0: the input is lines */
	bool omit_too_long;   /* skip a line that is too long; else visit it as an empty line, which is address 0 */
	size_t read_size;     /* the initial size of the buffer in bytes; 0: 64 KiB */
	const struct input_visitor *visitor;
	void *data; /* the first argument of the visitor's functions */
};

/* Visit all operands, or all of standard input.  Returns false, after a message, if an error ended the loop.  After a
   write error, which is stored in input->out, returns true, because diag_finish_output() reports that error. */
bool input_visit_all(const struct input *input);

/* Call quick(), text() and finish() for the lines from TEXT up to END.  The visitor's chunk() may call this. */
bool input_visit_lines(const struct input *input, char *text, char *end);

#endif
