/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - the lines of standard input
 *
 * Reads as much as there is at a time, and before each read flushes standard output: a process that sends one line
 * and waits for the answer gets it, while lines that have piled up are answered with large writes.  A file has all its
 * lines already: nobody waits there.
 */
#ifndef TOOL_LINES_H
#define TOOL_LINES_H

#include "tool/out.h"

struct lines {
	struct out *out;
	char *buffer;
	size_t size, begin, end;	/* what has been read and not been handed out: [begin, end) */
	bool at_end;
	bool is_file;

	/* May be set before anything is read. */
	size_t read_size;		/* how much to read at a time, if it is not to be what suits most */
	void (*before_read)(void *waiter);	/* called before each read: somebody may be waiting for answers */
	void *waiter;
};

/* No line is longer than this; no function name is either. */
enum { LINES_LONGEST = 1 << 20 };

enum lines_status {
	LINES_END,		/* there are no more lines */
	LINES_LINE,
	LINES_TOO_LONG,		/* there was one of more than LINES_LONGEST bytes; it has been passed over */
	LINES_NO_MEMORY,
	LINES_ERROR		/* errno says why */
};

/* Bytes that can be read behind what lines_block() gives; they are 0. */
enum { LINES_SLACK = 32 };

void lines_open(struct lines *lines, struct out *out);
void lines_close(struct lines *lines);

/* As many lines as there are, at least one: from *TEXT up to *END, each with its newline, which the last of the input
   gets if it lacks it; valid and the caller's to change until the next call.  LINES_TOO_LONG as below; but a line in
   a block can be too long as well. */
enum lines_status lines_block(struct lines *lines, char **text, char **end);

/* As many bytes as there are, a multiple of SIZE but at the end of the input; lines mean nothing to it. */
enum lines_status lines_bytes(struct lines *lines, size_t size, char **bytes, char **end);

/* The next line, without its newline but with a NUL; valid until the next call.  The last needs no newline. */
enum lines_status lines_next(struct lines *lines, char **line);

#endif
