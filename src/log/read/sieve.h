/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sieve.h - finds quickly whether a line can have a token */
#ifndef LOG_READ_SIEVE_H
#define LOG_READ_SIEVE_H

#include <stddef.h>

/* Who reads a line. */
enum { FOR_MATCHERS = 1, FOR_RULES = 2 };

/* Returns for whom there are signs (sieve.c) in the LENGTH bytes at TEXT, a line without its newline: FOR_MATCHERS, FOR_RULES,
   both or 0.  Others find no token and no fact in it, and nothing else that changes the context; but while
   context_every_line_counts(), the matchers must read the line nevertheless. */
unsigned sieve_users_of_line(const char *text, size_t length);

#endif
