/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallback.h - runs another addr2line for files that this one cannot read
 *
 * The other program replaces this process (exec), with the same arguments, environment and streams.  So it must be run
 * before anything is read from standard input and before privileges are dropped.  On Windows a program cannot replace a
 * process, so no other program is ever run.
 */
#ifndef ANSWER_FALLBACK_H
#define ANSWER_FALLBACK_H

#include <stdbool.h>

struct fallback {
	const char *program; /* searched for in PATH unless it has a slash; NULL: there is no fallback */
	bool named;	     /* --fallback has named `program`: if it cannot be run, a message is printed */
	char **arguments;    /* argv of main() if that has response files, and no word changed; else `words` */
	char **words;	     /* the arguments, response files expanded, without options that only this program knows */
};

/* Copy the arguments, because options_parse() will change their order.  TYPED is the argv of main(); EXPANDED is TYPED,
   or its copy with response files expanded.  If this program was called as "addr2line", or as "addr2line" with a MinGW
   prefix such as "x86_64-w64-mingw32-", the fallback is the program of that name, unless ROSSYM_FALLBACK begins with
   "off".  False: no memory. */
bool fallback_open(struct fallback *fallback, char **typed, char **expanded);
void fallback_close(struct fallback *fallback);

/* In the arguments of the other program, replace the option WORD by OTHER with the same ARGUMENT; if OTHER is NULL,
   remove the option.  WORD must be an element of EXPANDED (fallback_open()).  ARGUMENT is NULL if there is none. */
void fallback_translate(struct fallback *fallback, const char *word, const char *other, const char *argument);

/* Replace this process by the other program.  Returns only if there is none, or it cannot be run. */
void fallback_exec(const struct fallback *fallback);

#endif
