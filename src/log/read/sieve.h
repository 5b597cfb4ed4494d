/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sieve.h - finds quickly whether a line can have a token */
#ifndef LOG_READ_SIEVE_H
#define LOG_READ_SIEVE_H

#include <stddef.h>

/* Who reads a line. */
enum { FOR_MATCHERS = 1, FOR_RULES = 2 };

/* Returns FOR_MATCHERS, FOR_RULES, both or 0: who must read the line of LENGTH bytes at TEXT, because it has a sign
   (sieve.c) for them.  The others would find no token and no fact in it, and nothing that changes the context.  But
   while context_needs_every_line(), the matchers must read each line. */
unsigned sieve_find_users(const char *text, size_t length);

#endif
