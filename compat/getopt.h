/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt.h - glibc's getopt_long, with names that cannot clash with the host's
 *
 * Sources include compat.h, not this file, and use the usual names.  With USE_COMPAT_GETOPT, macros turn these into the
 * names below.
 */
#ifndef ROSSYM_COMPAT_GETOPT_H
#define ROSSYM_COMPAT_GETOPT_H

enum { RS_NO_ARGUMENT, RS_REQUIRED_ARGUMENT, RS_OPTIONAL_ARGUMENT };

struct rs_option {
	const char *name; /* the option's long name; NULL ends a table */
	int has_arg;
	int val; /* what rs_getopt_long() returns for this option */
};

extern char *rs_optarg; /* the argument of the option returned last, or NULL */
/* The index in argv of the next word to parse; after the last option, of the first operand.  Set it to 0 to restart. */
extern int rs_optind;
extern int rs_optopt; /* the option for which '?' was returned; 0 for an unknown or ambiguous long one */

/*
 * Returns the next option of ARGV, -1 at the end, or '?' for a wrong option.  Moves operands after the options, unless
 * POSIXLY_CORRECT is in the environment: then it stops at the first operand.  Unlike glibc's function, this one prints
 * no messages and ignores its last parameter.  SHORTS may have only letters and colons, and options have no flags.
 * Only one thread may call it.
 */
int rs_getopt_long(int argc, char *const *argv, const char *shorts, const struct rs_option *longs, int *unused);

#ifdef USE_COMPAT_GETOPT

/* Include these before the macros below, which would rename the host's optarg and others in their declarations. */
#include <stdio.h>
#include <stdlib.h>
#ifndef _MSC_VER
#include <unistd.h>
#endif

#undef no_argument
#undef required_argument
#undef optional_argument
#define no_argument RS_NO_ARGUMENT
#define required_argument RS_REQUIRED_ARGUMENT
#define optional_argument RS_OPTIONAL_ARGUMENT
#define option rs_option
#undef optarg
#undef optind
#undef optopt
#define optarg rs_optarg
#define optind rs_optind
#define optopt rs_optopt
#define getopt_long rs_getopt_long

#endif

#endif
