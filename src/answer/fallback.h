/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fallback.h - another addr2line, for files that this one cannot answer for
 *
 * The other program takes the place of this process, with the same arguments, environment and streams.  So start it
 * before anything is read from standard input and before rights are given up.  On Windows no program can take the place
 * of a process, so there is never another one.
 */
#ifndef ANSWER_FALLBACK_H
#define ANSWER_FALLBACK_H

#include <stdbool.h>

struct fallback {
	const char *program; /* searched for in PATH unless it has a slash; NULL: there is none */
	bool named;	     /* by --fallback: then a message says why it cannot be run */
	char **arguments;    /* the arguments that the other program gets */
	char **words;	     /* our copy of the arguments, without --fallback */
};

/* Remember the arguments, because getopt will change their order.  TYPED is what main() got.  EXPANDED is the same
   array, or one in which response files are replaced by their words.  If our own name is "addr2line", or that after a
   triplet of MinGW, the fallback has our name.  False: no memory. */
bool fallback_open(struct fallback *fallback, char **typed, char **expanded);
void fallback_close(struct fallback *fallback);

/* Obey --fallback=PROGRAM.  PROGRAM is part of the EXPANDED arguments.  The other program gets these without
   --fallback, which it does not know. */
void fallback_take(struct fallback *fallback, const char *program);

/* Translate the option WORD, one of the EXPANDED arguments, and ARGUMENT, which it has unless it is NULL, for the other
   program: to OTHER with that argument, or, if OTHER is NULL, to nothing. */
void fallback_translate(struct fallback *fallback, const char *word, const char *other, const char *argument);

/* Become the other program.  Returns if there is none or it cannot be run. */
void fallback_run(const struct fallback *fallback);

#endif
