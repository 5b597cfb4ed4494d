/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wrapped.h - lines that a mailer has wrapped
 *
 * Mailers wrap lines at column 72 or 80, at a blank:
 *
 *     Faulting module name: ntdll.dll, version: 10.0.22621.4391, time stamp:
 *     0x7b2ab261
 *
 * A mailer wraps a line only where the next word does not fit.  So if the first word of a line would not have fitted on
 * the line before it, the line is read twice: alone, and together with that line and the one before that, as if a blank
 * was between them.  What is found in the line alone counts, unless a token of the lines together begins before it.  A
 * token of the lines together counts if its annotation is in the last line: the lines before have been printed already.
 *
 * All of this is decided without the notes in the lines, so that an undo decides the same.
 */
#ifndef LOG_READ_WRAPPED_H
#define LOG_READ_WRAPPED_H

#include "log/read/lines-before.h"

/* Whether the current line continues the lines before. */
enum continues {
	CONTINUES_UNDECIDED, /* the line has not been read yet, or has not arrived whole */
	CONTINUES_NONE,	     /* the line does not continue them */
	CONTINUES_PERHAPS,   /* the line may continue them; it was also read together with them if that can matter */
};

/* A copy of the line, which is incomplete, and of the context.  It is read up to the first token. */
struct line_copy {
	struct tokens tokens;
	struct context context;
	bool has_token;
};

enum { JOINED_LENGTH_MAX = 2 * NOTE_LENGTH_MAX }; /* room for the annotations of the current line, too */

struct wrapped {
	struct lines_before lines;
	/* The members from here on are about the current line. */
	enum continues continues;
	struct context before; /* the context when the line began */
	/* the line's own text is from `begin` to `end`; `joined_text` is the lines before and, from `joined_begin` on,
	   a copy of that text */
	size_t begin, end, joined_begin;
	/* how many bytes of the line's own text may have been printed: no annotation may be inserted
	   before their end */
	size_t printed;
	bool has_copies;		  /* `alone` and `together` are in use */
	struct line_copy alone, together; /* copies to read an incomplete line alone, and with the lines before it */
	char joined_text[JOINED_LENGTH_MAX];
};

#endif
