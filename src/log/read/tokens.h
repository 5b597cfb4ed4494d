/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tokens.h - find the code addresses in a line of a log, and the load addresses of modules
 *
 * tokens_next() reads a line from left to right and returns one token or fact (token.h) at a time.  A line that a
 * mailer has wrapped is also read together with the lines before it (wrapped.h).
 *
 * This code opens no files and does not know which modules exist.
 */
#ifndef LOG_READ_TOKENS_H
#define LOG_READ_TOKENS_H

#include "log/read/token.h"

enum found {
	FOUND_END,   /* nothing more in the line */
	FOUND_TOKEN, /* in tokens->token */
	FOUND_FACT,  /* in tokens->fact */
};

/* Begin a new line: the LENGTH bytes at TEXT, its plain text (plain.h).  STRINGS: it is JSON or CSV. */
void tokens_begin(struct tokens *tokens, struct context *context, const char *text, size_t length, bool strings);

/* Find the next token or fact, and store it in tokens->token or tokens->fact. */
enum found tokens_next(struct tokens *tokens, struct context *context);

/* Find where the line's own text begins (front.c), and set t->begin, t->after_prompt, t->in_string and, after DebugView's columns,
   t->at. */
void front_read(struct tokens *t);

/* The next four are for wrapped.c only.  Like tokens_next(), but read the current line alone, even if it may continue
   the line before. */
enum found tokens_alone(struct tokens *tokens, struct context *context);

/* Like tokens_alone(), but leave queued tokens and facts queued, and do not end the line at the end of a string. */
enum found tokens_find(struct tokens *tokens, struct context *context);

/* Return the next of the token and the fact that are queued.  At least one must be (has_queued_token, has_queued). */
enum found tokens_queued(struct tokens *tokens);

/* The line's own text is a string.  Returns the position of the quotation mark that ends it, and stores in *RET_ENDED
   whether there is one.  Returns tokens->length if not. */
size_t tokens_string_end(struct tokens *tokens, bool *ret_ended);

/* Skip lines in the LENGTH bytes at TEXT that hold neither a token, a fact nor anything that changes the context
   (sieve.c).  Returns a position in the first line that may hold one, which must go through tokens_next(); or LENGTH if
   there is no such line.  Then something may still begin in the last TOKENS_UNDECIDED bytes, so pass them again, with
   the text that follows them.  The caller must not use this while context_every_line_counts(). */
size_t tokens_skip(const char *text, size_t length);

enum { TOKENS_UNDECIDED = 32, TOKENS_SKIPPED_MAX = 512 };

/* Who looks for a sign.  Rules (log/rules) have signs of their own. */
enum { FOR_MATCHERS = 1, FOR_RULES = 2 };

/* Returns the position of the first sign of sieve.c for USERS in the line; LENGTH if it has none. */
size_t tokens_find_sign(const char *text, size_t length, unsigned users);

/* Line number LINE, whose plain text is TEXT, was skipped after CONTEXT, and the next line may continue it.  Of a line of more than
   TOKENS_SKIPPED_MAX bytes, TOKENS_SKIPPED_MAX + 1 bytes suffice: no line continues it. */
void tokens_skipped(struct tokens *tokens, const struct context *context, const char *text, size_t length,
		    uint64_t line);

/* Forget the lines before: the next line does not continue them. */
void tokens_forget_lines(struct tokens *tokens);

#endif
