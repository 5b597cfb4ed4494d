/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lines-before.h - what is stored of the lines before the current one, into which a mailer may have wrapped a long line
 *
 * At most LINES_BEFORE_MAX lines are stored: their plain text, and what was found in them.  wrapped.c reads
 * this and decides whether the current line continues them.
 */
#ifndef LOG_READ_LINES_BEFORE_H
#define LOG_READ_LINES_BEFORE_H

#include "log/read/tokens.h"

enum {
	/* a mailer wraps a line only where the line and the next word together have at least this many columns */
	LEAST_WIDTH = 72,
	LINES_BEFORE_MAX = 2, /* lines that are stored, and read together with the current one */
	/* the most bytes of each line, including time stamps and the like */
	LINE_BEFORE_LENGTH_MAX = TOKENS_SKIPPED_MAX,
};

struct lines_before {
	unsigned count;	 /* how many lines are stored; 0: the current line continues none */
	uint64_t number; /* the line number of the last of these lines */
	size_t length;	 /* bytes in `text`: these lines, with a blank between two of them */
	size_t columns;	 /* the width of the last line's own text */
	size_t front;	 /* columns of the last line before its own text (front.h) */
	/* only one line is stored, and it has no sign of sieve.c, so the scanner may have skipped it */
	bool has_no_sign;
	size_t last;	   /* where the text of the last line begins */
	size_t found;	   /* tokens and facts that begin before this position of `text` were found already */
	bool recognized;   /* the last line has a token or a fact, or has changed the context */
	bool only_context; /* the last line has only changed the context: it has no token and no fact */
	/* the last line has a token or a fact of a form that takes the whole line, so the current line is read alone */
	bool whole;
	/* what is found in these lines and the current one together counts, whatever is found in
	   the current one alone */
	bool preferred;
	struct context before; /* the context as it was before the first of these lines */
	char text[LINES_BEFORE_MAX * (LINE_BEFORE_LENGTH_MAX + 1)];
};

/* Store line number NUMBER, which the scanner has skipped after CONTEXT, if a mailer may have wrapped it.  TEXT is its plain text. */
void lines_before_skip(struct lines_before *lines, const struct context *context, const char *text, size_t length,
		       uint64_t number);

/* The rules (rules/rules.h) have found a token in line number NUMBER, which begins at AT of the line's own text. */
void lines_before_found(struct lines_before *lines, uint64_t number, size_t at);

/* Store the line in T if a mailer may have wrapped it.  Its own text is from BEGIN to END, and
   BEFORE is the context before it.  APPEND: keep the lines before it, if there is room.  Returns whether the next line
   must be read because it may continue this one. */
bool lines_before_store(struct lines_before *lines, const struct tokens *t, size_t begin, size_t end,
			const struct context *before, bool append);

#endif
