/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tokens.h - find the code addresses in a line of a log, and the load addresses of modules
 *
 * tokens_next() reads a line from left to right and returns one token or fact (token.h) at a time.
 *
 * A line can be read while it is still arriving.  If a token may continue in text that has not arrived, tokens_next()
 * returns FOUND_MORE, and `hold` is the position up to which the caller may print the line already: no annotation will
 * be inserted before it.
 *
 * This code opens no files and does not know which modules exist.
 */
#ifndef LOG_READ_TOKENS_H
#define LOG_READ_TOKENS_H

#include "log/read/token.h"

enum found {
	FOUND_END, /* nothing more in the text that has arrived */
	FOUND_TOKEN,
	FOUND_FACT,
	/* the text ends inside something that may become a token or fact; only in incomplete lines */
	FOUND_MORE,
};

/* Begin a new line. */
void tokens_begin(struct tokens *tokens, struct context *context);

/* Find the next token or fact, and store it in tokens->token or tokens->fact. */
enum found tokens_next(struct tokens *tokens, struct context *context);

/* The parts of that, for wrapped.c.  As tokens_next(), in the line alone: */
enum found tokens_alone(struct tokens *tokens, struct context *context);

/* ... in tokens->text, whose beginning is known; what the last match has found besides; where the string ends that is the
   line's own text, *RET_ENDED if that is certain. */
enum found tokens_find(struct tokens *tokens, struct context *context);
enum found tokens_queued(struct tokens *tokens);
size_t tokens_string_end(struct tokens *tokens, bool *ret_ended);

/* Return a position in the LENGTH bytes at TEXT such that no line that ends before it holds a token, a fact or anything
   that changes the context.  The line at that position must go through tokens_next().  LENGTH means that no line need;
   but something may begin in the last TOKENS_UNDECIDED bytes, so pass them again, with the text that follows them.  The
   caller must not use this while context_every_line_counts(). */
size_t tokens_skip(const char *text, size_t length);

enum { TOKENS_UNDECIDED = 32 };

/* Whether a line without a token, of which TEXT is the plain text, looks as if it had an address of code. */
bool tokens_look_missed(const char *text, size_t length);

#endif
