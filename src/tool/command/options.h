/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - option tables: one row is parsed, obeyed, printed by --help, and checked against the manual by a test
 *
 * A program may replace an older one and have long options that the older one lacks.  Abbreviations that the older one
 * accepts must keep their meaning.  So there are two tables: a long option is searched for in the first one, and in the
 * second one only if nothing in the first begins with it.  A third table has synonyms that other programs have.  They
 * cannot be abbreviated, so that they take nothing from the abbreviations of the others.
 */
#ifndef TOOL_COMMAND_OPTIONS_H
#define TOOL_COMMAND_OPTIONS_H

#include "tool/out.h"

/* What an option does to the structure that the command line is parsed into. */
struct option_effect {
	enum { OPTION_IS_NONE, OPTION_IS_SET, OPTION_IS_CLEARED, OPTION_IS_TEXT, OPTION_IS_VALUE, OPTION_IS_CALL } kind;
	size_t offset; /* of a bool, of a const char *, or of an enum or int, in that structure */
	int value;     /* of that enum or int */
	/* returns -1 to go on, or the exit status; ARGUMENT is NULL if there is none */
	int (*call)(void *context, const char *argument);
};

/* The option sets or clears a bool, stores its argument, stores a value, or calls a function. */
#define OPTION_SETS(type, member) \
	{ \
		OPTION_IS_SET, offsetof(type, member), 0, NULL \
	}
#define OPTION_CLEARS(type, member) \
	{ \
		OPTION_IS_CLEARED, offsetof(type, member), 0, NULL \
	}
#define OPTION_STORES(type, member) \
	{ \
		OPTION_IS_TEXT, offsetof(type, member), 0, NULL \
	}
#define OPTION_CHOOSES(type, member, value) \
	{ \
		OPTION_IS_VALUE, offsetof(type, member), value, NULL \
	}
#define OPTION_CALLS(function) \
	{ \
		OPTION_IS_CALL, 0, 0, function \
	}

struct option_row {
	int value;	  /* what options_next() returns: the letter; or 0 */
	const char *name; /* long name */
	/* what --help calls the argument: "=<file>", "[=style]" if it can be left out; or NULL */
	const char *argument;
	const char *help; /* NULL: another spelling, which --help does not show */
	struct option_effect effect;
};

#define OPTION_ROWS_END \
	{ \
		0, NULL, NULL, NULL, \
		{ \
			OPTION_IS_NONE, 0, 0, NULL \
		} \
	}

struct options {
	int argc;
	char **argv;
	const char *letters;		 /* as for getopt */
	const struct option_row *first;	 /* end with a row without a name */
	const struct option_row *second; /* these three may be NULL */
	const struct option_row *synonyms;
	const struct option_row *short_only; /* options that are a letter; their long names are "" */
	void *tables[3];		     /* the same for getopt_long; options_open() makes them */
	const char *word;	      /* the word of ARGV in which options_next() has found a long option; or NULL */
	const struct option_row *row; /* what options_next() has found */
	int (*wrong)(void);	      /* after the message about a wrong option; returns the exit status */
	void (*note)(void *context, const struct option_row *row); /* of each option, before it is obeyed; or NULL */
};

/* Not enough memory: returns false. */
bool options_open(struct options *options);
void options_close(struct options *options);

/* The next option's value, or another number if that is 0; its argument in *ARGUMENT; '?' after a message for one that is not right; -1 at the end,
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
