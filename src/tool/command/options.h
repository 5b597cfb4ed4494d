/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - option tables: one row is parsed, printed by --help, and checked against the manual by a test
 *
 * A program may replace an older one and have long options that the older one lacks.  Abbreviations that the older one
 * accepts must keep their meaning.  So there are two tables: a long option is searched for in the first one, and in the
 * second one only if nothing in the first begins with it.  A third table has synonyms that other programs have.  They
 * cannot be abbreviated, so that they take nothing from the abbreviations of the others.
 */
#ifndef TOOL_COMMAND_OPTIONS_H
#define TOOL_COMMAND_OPTIONS_H

#include "tool/out.h"

struct option_row {
	int value;	  /* what options_next() returns: the letter where there is one */
	const char *name; /* long name */
	/* what --help calls the argument: "=<file>", "[=style]" if it can be left out; or NULL */
	const char *argument;
	const char *help; /* NULL: another spelling, which --help does not show */
};

struct options {
	int argc;
	char **argv;
	const char *letters;		/* as for getopt */
	const struct option_row *first; /* end with a row without a name */
	const struct option_row *second;
	const struct option_row *synonyms; /* or NULL */
	void *tables[3];		   /* the same for getopt_long; options_open() makes them */
	const char *word; /* the word of ARGV in which options_next() has found a long option; or NULL */
};

/* Not enough memory: returns false. */
bool options_open(struct options *options);
void options_close(struct options *options);

/* The next option's value, its argument in *ARGUMENT; '?' after a message for one that is not right; -1 at the end,
   then *OPERANDS is the index of the first operand. */
int options_next(struct options *options, char **argument, int *operands);

/* Whether the long option in WORD is a synonym. */
bool options_is_synonym(const struct options *options, const char *word);

/* A line of --help above the row of the option BEFORE. */
struct option_heading {
	const char *before;
	const char *text;
};

/* Print the rows that have a help text: those of ORDER, letters, in that order. */
void options_help_in_order(struct out *out, const struct option_row *rows, const char *order);
/* Print all rows that have a help text, with HEADINGS, which end with one without text; or NULL. */
void options_help(struct out *out, const struct option_row *rows, const struct option_heading *headings);

#endif
