/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.h - option tables
 *
 * A row describes an option: how it is parsed, what it does, and what --help prints.  src/options/options.awk makes the
 * rows of the programs from their manual pages.
 *
 * A program may replace an older one and have more long options.  An abbreviation that the older program accepts must
 * keep its meaning.  So there are two tables: a long option is looked up in the first table, and in the second one only
 * if no option of the first table begins with it.  A third table has options that cannot be abbreviated, so they never
 * make an abbreviation of another option ambiguous.
 */
#ifndef TOOL_COMMAND_OPTIONS_H
#define TOOL_COMMAND_OPTIONS_H

#include "tool/out.h"
#include "tool/paths.h"

/* What an option does to the structure that the command line is parsed into. */
struct option_effect {
	enum { OPTION_IS_NONE, OPTION_IS_BOOL, OPTION_IS_TEXT, OPTION_IS_VALUE, OPTION_IS_CALL } kind;
	size_t offset; /* the offset of the member: a bool; a const char *; an enum or int; or the CONTEXT of `call` */
	int value;     /* what to store in the bool, the enum or the int */
	/* OPTION_IS_CALL: the function to call.  CONTEXT is the member, or the structure if the offset is 0; ARGUMENT
	   is NULL if there is none.  Returns -1, or an exit status with which the program ends. */
	int (*call)(void *context, const char *argument);
};

/* Initialisers of struct option_effect.  OPTION_SETS and OPTION_CLEARS: set a bool to true or false; OPTION_STORES:
   store the argument of the option; OPTION_CHOOSES: store VALUE in an enum or int; OPTION_CALLS and OPTION_CALLS_FOR:
   call a function for the structure or for a member. */
#define OPTION_EFFECT(kind, offset, value, call) \
	{ \
		kind, offset, value, call \
	}
#define OPTION_SETS(type, member) OPTION_EFFECT(OPTION_IS_BOOL, offsetof(type, member), true, NULL)
#define OPTION_CLEARS(type, member) OPTION_EFFECT(OPTION_IS_BOOL, offsetof(type, member), false, NULL)
#define OPTION_STORES(type, member) OPTION_EFFECT(OPTION_IS_TEXT, offsetof(type, member), 0, NULL)
#define OPTION_CHOOSES(type, member, value) OPTION_EFFECT(OPTION_IS_VALUE, offsetof(type, member), value, NULL)
#define OPTION_CALLS(function) OPTION_EFFECT(OPTION_IS_CALL, 0, 0, function)
#define OPTION_CALLS_FOR(type, member, function) OPTION_EFFECT(OPTION_IS_CALL, offsetof(type, member), 0, function)

/* The table in which a long option is: the first, second or third one.  OPTION_TABLES is their number, or no table. */
enum option_table { OPTION_FIRST, OPTION_SECOND, OPTION_WHOLE, OPTION_TABLES };

struct option_row {
	int letter;	  /* the option's letter; 0: it has none */
	const char *name; /* the option's long name; "": it has none */
	/* the argument, as --help prints it, such as "=<file>"; "[=style]": it is optional, and only the long name
	   takes it; NULL: the option has no argument */
	const char *argument;
	const char *help; /* its text in --help; NULL: the row is another name of the option in the row before */
	struct option_effect effect;
	enum option_table table;
	bool common;	   /* --help prints this row; else only --help=all does */
	const char *group; /* the heading of the group that begins with this row; or NULL */
};

/* OPTION_ROWS_END ends a table.  OPTION_ROW is a row of a program whose options have no groups. */
#define OPTION_ROWS_END \
	{ \
		.name = NULL \
	}
#define OPTION_ROW(a_letter, a_name, an_argument, a_help, ...) \
	{ \
		.letter = a_letter, .name = a_name, .argument = an_argument, .help = a_help, .effect = __VA_ARGS__ \
	}

struct options {
	int argc;
	char **argv;
	const struct option_row *rows;
	/* options_open() makes these for getopt_long(): */
	void *tables[OPTION_TABLES];
	char letters[128];
	const char *word; /* the element of ARGV in which options_find_next() has found a long option; or NULL */
	const struct option_row *row; /* the row of the option that options_find_next() has found */
	int (*wrong)(void);	      /* called after the message about a wrong option; returns the exit status */
	void (*note)(void *context, const struct option_row *row); /* called before each option's effect, or NULL */
};

/* Make the tables for getopt_long().  False: no memory.  Call options_close() even then. */
bool options_open(struct options *options);
void options_close(struct options *options);

/* Find the next option.  Stores its argument in *ARGUMENT, and its row in options->row.  Returns the letter of the
   option, or a number above 255 if it has no letter.  Returns '?' after a message if the option is wrong; or -1 if
   there are no more options, and then *OPERANDS is the index of the first operand. */
int options_find_next(struct options *options, char **argument, int *operands);

/* Parse the command line, and apply each option to CONTEXT, the structure whose members the rows name (struct
   option_effect).  Returns -1 and stores the index of the first operand in *OPERANDS; or returns an exit status. */
int options_parse(struct options *options, void *context, int *operands);

/* Whether WORD, "--name" or "--name=argument", is an option of the third table. */
bool options_must_be_whole(const struct options *options, const char *word);

/* Print the help of the rows whose letters are in ORDER, in that order, without wrapping lines. */
void options_print_help_in_order(struct out *out, const struct option_row *rows, const char *order);

/* Print the help of the common rows in lines of at most 80 columns.  ALL: print the help of all rows, with the headings
   of their groups.  Rows of the table EXCEPT are left out; if EXCEPT is OPTION_TABLES, none are. */
void options_print_help(struct out *out, const struct option_row *rows, bool all, enum option_table except);

/* ------------------------------------------------------------------------------------ what all programs share */

/* Print the output of --version, with the name PROGRAM. */
void common_print_version(struct out *out, const char *program);

/* Print the output of PUT_USAGE to standard error.  Returns 1, an exit status. */
int common_print_usage_error(void (*put_usage)(struct out *out));

/* After a message about a wrong option, print the hint that --help prints the help.  Returns 1, an exit status. */
int common_suggest_help(void);

/* The effect of --path-map=ARGUMENT on PATHS, a struct paths.  Returns -1; or an exit status, after a message. */
int common_apply_path_map(void *paths, const char *argument);

/* The effect of --quiet: stop printing warnings and hints.  Returns -1. */
int common_apply_quiet(void *context, const char *argument);

/* Print the output of PUT_SUMMARY and the help of ROWS: of the common rows, or of all rows if ARGUMENT is "all".
   Returns 0; or 1, after a message, if ARGUMENT is another word. */
int common_print_help(struct out *out, void (*put_summary)(struct out *out), const struct option_row *rows,
		      const char *argument);

/* The effect of --demangle, with the style ARGUMENT or NULL.  Returns -1; or an exit status, after a message. */
int common_apply_demangle(const char *argument);

#endif
