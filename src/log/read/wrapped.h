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
 */
#ifndef LOG_READ_WRAPPED_H
#define LOG_READ_WRAPPED_H

#include "log/read/lines-before.h"

/* Whether the current line continues the lines before. */
enum continues {
	CONTINUES_UNDECIDED, /* the line has not been read yet */
	CONTINUES_NONE,	     /* the line does not continue them */
	CONTINUES_PERHAPS,   /* the line may continue them; it was also read together with them if that can matter */
};

enum { JOINED_LENGTH_MAX = 8192 };

struct wrapped {
	struct lines_before lines;
	/* The members from here on are about the current line. */
	enum continues continues;
	struct context before; /* the context when the line began */
	/* the line's own text is from `begin` to `end`; `joined_text` is the lines before and, from `joined_begin` on,
	   a copy of that text */
	size_t begin, end, joined_begin;
	char joined_text[JOINED_LENGTH_MAX];
};

#endif
