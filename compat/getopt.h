/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long as glibc has it, under names of our own, so that it can stand beside the host's in one program.
 *
 * Sources include compat.h instead, and use the usual names; with USE_COMPAT_GETOPT these are ours.
 */
#ifndef ROSSYM_COMPAT_GETOPT_H
#define ROSSYM_COMPAT_GETOPT_H

enum { RS_NO_ARGUMENT, RS_REQUIRED_ARGUMENT, RS_OPTIONAL_ARGUMENT };

struct rs_option {
	const char *name;	/* NULL ends a table */
	int has_arg;
	int *flag;		/* not NULL: *flag = val and the result is 0; else the result is val */
	int val;
};

extern char *rs_optarg;		/* the argument of the option returned last, or NULL */
extern int rs_optind;		/* index of the next word; at the end, of the first operand.  0 = start again */
extern int rs_opterr;		/* 0 = no messages */
extern int rs_optopt;		/* the option a '?' or ':' is about; 0 for an unknown long one */

/*
 * The next option of ARGV, -1 at the end, '?' for a bad one (with glibc's message on stderr, which begins with
 * argv[0]).  Operands are moved behind the options, unless SHORTS begins with '+' (stop at the first) or '-' (return
 * each as option 1), or POSIXLY_CORRECT is in the environment.  A ':' next in SHORTS means no messages, and ':'
 * for a missing argument.  LONGIND, when not NULL, receives the index in LONGS of a long option.
 * Differences from glibc: no "W;" in SHORTS, messages are not translated.  Not thread-safe, as everywhere.
 */
int rs_getopt_long(int argc, char *const *argv, const char *shorts, const struct rs_option *longs, int *longind);

#ifdef USE_COMPAT_GETOPT

/* These declare what the names below hide; once they are read nothing declares it again. */
#include <stdio.h>
#include <stdlib.h>
#ifndef _MSC_VER
#include <unistd.h>
#endif

#undef no_argument
#undef required_argument
#undef optional_argument
#define no_argument       RS_NO_ARGUMENT
#define required_argument RS_REQUIRED_ARGUMENT
#define optional_argument RS_OPTIONAL_ARGUMENT
#define option      rs_option
#undef optarg
#undef optind
#undef opterr
#undef optopt
#define optarg      rs_optarg
#define optind      rs_optind
#define opterr      rs_opterr
#define optopt      rs_optopt
#define getopt_long rs_getopt_long

#endif

#endif
