/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sieve.h - finds quickly where a token may begin */
#ifndef LOG_READ_SIEVE_H
#define LOG_READ_SIEVE_H

#include <stddef.h>

/* Skip lines in the LENGTH bytes at TEXT that hold no token, no fact, and nothing else that changes the context
   (sieve.c).  Returns a position in the first line that may hold one, which must go through tokens_next(); or LENGTH if
   there is no such line.  Then something may still begin in the last TOKENS_UNDECIDED bytes, so pass them again, with
   the text that follows them.  The caller must not use this while context_every_line_counts(). */
size_t tokens_skip_lines(const char *text, size_t length);

enum { TOKENS_UNDECIDED = 32 };

/* Who looks for a sign.  Rules (log/rules) have signs of their own. */
enum { FOR_MATCHERS = 1, FOR_RULES = 2 };

/* Returns the position of the first sign of sieve.c for USERS in the line; LENGTH if it has none. */
size_t tokens_find_sign(const char *text, size_t length, unsigned users);

#endif
