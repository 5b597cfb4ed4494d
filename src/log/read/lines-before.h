/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines-before.h - what is stored of the lines before the current one, into which a mailer may have wrapped a long line
 *
 * At most LINES_BEFORE_MAX lines are stored: their text without notes, and what was found in them.  wrapped.c reads
 * this and decides whether the current line continues them.
 */
#ifndef LOG_READ_LINES_BEFORE_H
#define LOG_READ_LINES_BEFORE_H

#include "log/read/tokens.h"

enum {
	LEAST_WIDTH = 72,     /* where a line and the next word have fewer columns, no mailer wraps */
	LINES_BEFORE_MAX = 2, /* lines that are stored, and read together with the current one */
	/* bytes of each line, with time stamps and the like */
	LINE_BEFORE_LENGTH_MAX = TOKENS_SKIPPED_MAX,
};

struct lines_before {
	unsigned count;	 /* 0: the current line continues none */
	uint64_t number; /* of the last of them */
	size_t length;	 /* bytes of their text, with a blank between two lines */
	size_t columns;	 /* of the own text of the last of them */
	size_t front;	 /* columns before that text */
	/* the last of them has no sign of sieve.c, so it is the only one, and the scanner may have skipped it */
	bool has_no_sign;
	bool unread;	 /* it was skipped: `length` includes its front, and `columns` and `before` are not set yet */
	size_t found;	 /* tokens and facts that begin before this position of `text` were found already */
	bool recognized; /* the last of them has a token or a fact, or has changed the context */
	bool heading;	 /* the last of them has only changed the context */
	bool whole;	 /* its form is the whole line, so the current line continues its context only */
	/* what is found in these lines and the current one together counts, whatever is found in
	   the current one alone */
	bool preferred;
	struct context before; /* the context as it was before the first of these lines */
	char text[LINES_BEFORE_MAX * (LINE_BEFORE_LENGTH_MAX + 1)];
};

/* Store line number NUMBER, which the scanner has skipped.  TEXT is its plain text. */
void lines_before_skip(struct lines_before *lines, const char *text, size_t length, uint64_t number);

/* If the last line was skipped, find out what lines_before_store() would have stored of it.  BEFORE is the context
   before the current line.  Returns false, and forgets the lines, if it is too long to have been wrapped. */
bool lines_before_read(struct lines_before *lines, const struct context *before);

/* The line in T is complete; its own text is from BEGIN to END, and BEFORE is the context before it.  Store it if a
   mailer may have wrapped it.  APPEND: together with the lines before it.  Returns whether the next line must be read
   for this reason. */
bool lines_before_store(struct lines_before *lines, const struct tokens *t, size_t begin, size_t end,
			const struct context *before, bool append);

#endif
