/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sieve.h - finds quickly whether a line can have a token */
#ifndef LOG_READ_SIEVE_H
#define LOG_READ_SIEVE_H

#include <stddef.h>

/* Who reads a line: the matchers (match.h), the rules (rules/rules.h). */
enum { FOR_MATCHERS = 1, FOR_RULES = 2 };

/* Returns who must read the line of LENGTH bytes at TEXT: FOR_MATCHERS, FOR_RULES, both or 0.  Any other reader would
   find no token and no fact in the line, and nothing that changes the context (context.h).  But while
   context_needs_every_line() returns true, the matchers must read each line. */
unsigned sieve_find_users(const char *text, size_t length);

#endif
