/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - the lines of standard input
 *
 * Reads as much as there is at a time, and before each read flushes standard output: a process that sends one line
 * and waits for the answer gets it, while lines that have piled up are answered with large writes.
 */
#ifndef TOOL_LINES_H
#define TOOL_LINES_H

#include "tool/out.h"

struct lines {
	struct out *out;
	char *buffer;
	size_t size, begin, end;	/* what has been read and not been handed out: [begin, end) */
	bool at_end;
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

void lines_open(struct lines *lines, struct out *out);
void lines_close(struct lines *lines);

/* The next line, without its newline but with a NUL; valid until the next call.  The last needs no newline. */
enum lines_status lines_next(struct lines *lines, char **line);

#endif
