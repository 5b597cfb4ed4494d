/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - reads standard input in chunks of whole lines or of whole numbers
 *
 * Each read gets as much as has arrived.  Before it, standard output is flushed, so that a process that sends one line
 * and waits for the answer gets it; many lines that have arrived together are answered with large writes.  There is no
 * flush before a read from a file, since nobody waits for answers there.
 */
#ifndef TOOL_LINES_H
#define TOOL_LINES_H

#include "tool/out.h"

#include <stdint.h>

struct lines {
	struct out *out;
	char *buffer;
	size_t size, begin, end; /* the bytes from BEGIN to END have been read, but not returned to the caller */
	bool at_end;
	bool is_file;
	uint64_t file_size; /* the size of standard input in bytes, if it is a file; else 0 */

	/* The caller may set these after lines_open(). */
	size_t read_size;		   /* the first size of the buffer in bytes; 0: 64 KiB */
	void (*before_read)(void *waiter); /* called before each read, which may wait for the user; or NULL */
	void *waiter;			   /* the argument of before_read() */
};

/* Bytes of the longest line that is read.  A line can be the name of a function; real names are shorter. */
enum { LINES_LENGTH_MAX = 1 << 20 };

enum lines_status {
	LINES_END,	/* the input has ended */
	LINES_SOME,	/* there is a chunk */
	LINES_TOO_LONG, /* a line of more than LINES_LENGTH_MAX bytes has been skipped */
	LINES_NO_MEMORY,
	LINES_ERROR, /* a read error, in errno */
};

/* How many bytes after the end of a chunk of lines are readable, for code that reads several bytes at once. */
enum { LINES_SLACK = 32 };

/* OUT: standard output, which is flushed before each read that may wait. */
void lines_open(struct lines *lines, struct out *out);
void lines_close(struct lines *lines);

/* Get as many lines as have arrived, at least one: from *TEXT up to *END, each with its newline; the last line of the
   input gets one if it has none.  The caller may change them; they are valid until the next call.  A line of more than
   LINES_LENGTH_MAX bytes is skipped, and LINES_TOO_LONG returned.  But if one read() returns both the first byte beyond
   this limit and the newline, the chunk has the line; so the caller must check the length of each line. */
enum lines_status lines_chunk(struct lines *lines, char **text, char **end);

/* Get as many bytes as have arrived: a multiple of SIZE, except at the end of the input. */
enum lines_status lines_bytes(struct lines *lines, size_t size, char **bytes, char **end);

#endif
