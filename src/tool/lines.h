/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines.h - standard input, in chunks of whole lines or of whole numbers
 *
 * Each read takes as much as there is.  Before it, standard output is flushed: a process that sends one line and waits
 * for the answer gets it, while lines that have piled up are answered with large writes.  There is no flush before a
 * read from a file, since nobody waits for answers there.
 */
#ifndef TOOL_LINES_H
#define TOOL_LINES_H

#include "tool/out.h"

#include <stdint.h>

struct lines {
	struct out *out;
	char *buffer;
	size_t size, begin, end; /* [begin, end) of the buffer has been read and not been handed out */
	bool at_end;
	bool is_file;
	uint64_t file_size; /* in bytes, of a file; 0 for all other input */

	/* May be set before anything is read. */
	size_t read_size;		   /* the first size of the buffer, 64 KiB unless this is set */
	void (*before_read)(void *waiter); /* called before each read: somebody may be waiting for answers */
	void *waiter;
};

/* Bytes of the longest line that is read.  A line can be the name of a function, so this is more than any real
   name has. */
enum { LINES_LONGEST = 1 << 20 };

enum lines_status {
	LINES_END, /* there is no more */
	LINES_SOME,
	LINES_TOO_LONG, /* a line of more than LINES_LONGEST bytes has been passed over */
	LINES_NO_MEMORY,
	LINES_ERROR, /* errno says why */
};

/* So many bytes after a chunk can be read; they are 0. */
enum { LINES_SLACK = 32 };

void lines_open(struct lines *lines, struct out *out);
void lines_close(struct lines *lines);

/* As many lines as there are, at least one: from *TEXT up to *END, each with its newline; the last line of the input
   gets one if it lacks it.  They are the caller's to change until the next call.  Most lines that are too long are
   passed over, each with LINES_TOO_LONG; but one that was read together with its newline is part of a chunk. */
enum lines_status lines_chunk(struct lines *lines, char **text, char **end);

/* As many bytes as there are: a multiple of SIZE, except at the end of the input. */
enum lines_status lines_bytes(struct lines *lines, size_t size, char **bytes, char **end);

#endif
