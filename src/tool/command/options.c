// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/options.h"
#include "tool/demangle.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include "compat/compat.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_VALUE = 1 << 16 };

/* Returns what getopt_long() is to return for rows[I]: the letter; if there is none, a number that no other option has.
   A row that is only another name of an option gets the option's number, because getopt_long() accepts an abbreviation
   if all names that begin with it have the same value. */
static int choose_getopt_value(const struct option_row *rows, size_t i)
{
	if (rows[i].letter)
		return rows[i].letter;
	while (i > 0 && !rows[i].help)
		i--;
	return FIRST_VALUE + (int)i;
}

/* Returns a table for getopt_long(), made of the rows of TABLE.  The caller frees it.  NULL: no memory. */
static struct option *make_getopt_table(const struct option_row *rows, enum option_table table)
{
	size_t count = 0, made = 0;
	while (rows[count].name)
		count++;
	struct option *options = calloc(count + 1, sizeof *options);
	for (size_t i = 0; options && i < count; i++)
		if (rows[i].table == table && rows[i].name[0])
			options[made++] = (struct option){ .name = rows[i].name,
							   .has_arg = !rows[i].argument		   ? no_argument
								      : rows[i].argument[0] == '[' ? optional_argument
												   : required_argument,
							   .val = choose_getopt_value(rows, i) };
	return options;
}

bool options_open(struct options *options)
{
	size_t length = 0;
	options->letters[0] = '\0';
	for (const struct option_row *row = options->rows; row->name; row++)
		if (row->letter && !strchr(options->letters, row->letter) && length + 2 < sizeof options->letters) {
			options->letters[length++] = (char)row->letter;
			if (row->argument && row->argument[0] == '=')
				options->letters[length++] = ':';
			options->letters[length] = '\0';
		}
	for (enum option_table i = OPTION_FIRST; i < OPTION_TABLES; i++)
		options->tables[i] = make_getopt_table(options->rows, i);
	return options->tables[OPTION_FIRST] && options->tables[OPTION_SECOND] && options->tables[OPTION_WHOLE];
}

void options_close(struct options *options)
{
	for (enum option_table i = OPTION_FIRST; i < OPTION_TABLES; i++)
		free(options->tables[i]);
}

/* Returns the element of ARGV that getopt_long() parses next.  This may be a cluster of letters, "-abc", of which it
   has parsed the first ones. */
static const char *find_next_argument(const struct options *options)
{
	int i = optind;
	if (!getenv("POSIXLY_CORRECT"))
		while (i < options->argc && (options->argv[i][0] != '-' || options->argv[i][1] == '\0'))
			i++; /* getopt_long() skips operands, unless POSIXLY_CORRECT is set */
	return i < options->argc ? options->argv[i] : "";
}

/* ---------------------------------------------------------------------------- messages about wrong options */

/* getopt_long() would print control characters of an option as they are.  So its messages are switched off.  The
   following functions print the texts of glibc, and so of GNU addr2line, with "?" for control characters. */

/* Returns the row of TABLE whose name is NAME, of LENGTH bytes.  If there is none, returns the first row of TABLE whose
   name begins with NAME, or NULL. */
static const struct option_row *find_row(const struct option_row *row, enum option_table table, const char *name,
					 size_t length)
{
	const struct option_row *found = NULL;
	for (; row->name; row++)
		if (row->table == table && row->name[0] && strncmp(row->name, name, length) == 0 &&
		    (!found || row->name[length] == '\0'))
			found = row;
	return found;
}

/* Print that the option WORD is ambiguous: its name, the LENGTH bytes at NAME, abbreviates several options of TABLE. */
static void print_ambiguous_option(const struct option_row *rows, enum option_table table, const char *word,
				   const char *name, size_t length)
{
	struct strbuf names = { .bytes = NULL };
	const struct option_row *first = find_row(rows, table, name, length);
	const int value = choose_getopt_value(rows, (size_t)(first - rows));
	for (size_t i = 0; rows[i].name; i++)
		if (rows[i].table == table && rows[i].name[0] && strncmp(rows[i].name, name, length) == 0 &&
		    (&rows[i] == first || choose_getopt_value(rows, i) != value)) {
			strbuf_add(&names, " '--");
			strbuf_add(&names, rows[i].name);
			strbuf_add_char(&names, '\'');
		}
	diag("option '%s' is ambiguous; possibilities:%s", word, names.bytes ? names.bytes : "");
	strbuf_clear(&names);
}

/* Print what is wrong with WORD, a long option that getopt_long() has refused, and whose name is the LENGTH bytes at
   NAME.  getopt_long() has set optopt to 0 for an unknown or ambiguous option, else to the option's value. */
static void print_wrong_long_option(const struct option_row *rows, enum option_table table, const char *word,
				    const char *name, size_t length)
{
	const struct option_row *row = find_row(rows, table, name, length);
	if (!row)
		diag("unrecognized option '%s'", word);
	else if (optopt == 0)
		print_ambiguous_option(rows, table, word, name, length);
	else if (name[length] == '=')
		diag("option '--%s' doesn't allow an argument", row->name);
	else
		diag("option '--%s' requires an argument", row->name);
}

static void print_wrong_short_option(const char *letters)
{
	const char *known = strchr(letters, optopt);
	if (known && known[1] == ':')
		diag("option requires an argument -- '%c'", optopt);
	else
		diag("invalid option -- '%c'", optopt);
}

/* Whether NAME, of LENGTH bytes, is an option of the third table.  If the first table has an option of that name, too,
   returns true only if "=" follows NAME, because the option of the first table takes no argument. */
static bool is_whole_option(const struct options *options, const char *name, size_t length)
{
	const struct option_row *row = find_row(options->rows, OPTION_WHOLE, name, length);
	if (!row || length == 0 || row->name[length] != '\0')
		return false;
	const struct option_row *other = find_row(options->rows, OPTION_FIRST, name, length);
	return !other || other->name[length] != '\0' || name[length] == '=';
}

bool options_must_be_whole(const struct options *options, const char *word)
{
	return is_whole_option(options, word + 2, strcspn(word + 2, "="));
}

int options_find_next(struct options *options, char **argument, int *operands)
{
	const char *word = find_next_argument(options), *name = NULL;
	const struct option_row *rows = options->rows;
	enum option_table table = OPTION_FIRST;
	size_t length = 0;
	/* Call getopt_long() with the one table in which the next long option is looked up (options.h). */
	if (strncmp(word, "--", 2) == 0) {
		name = word + 2;
		length = strcspn(name, "=");
		if (is_whole_option(options, name, length))
			table = OPTION_WHOLE;
		else if (!find_row(rows, OPTION_FIRST, name, length) && find_row(rows, OPTION_SECOND, name, length))
			table = OPTION_SECOND;
	}
	options->word = name ? word : NULL;
#ifndef USE_COMPAT_GETOPT /* the getopt_long() of compat/ prints no messages */
	opterr = 0;
#endif
	int value = getopt_long(options->argc, options->argv, options->letters, options->tables[table], NULL);
	options->row = rows;
	if (value >= FIRST_VALUE)
		options->row += value - FIRST_VALUE;
	else
		while (options->row->name && options->row->letter != value)
			options->row++;
	if (value == '?' && name)
		print_wrong_long_option(rows, table, word, name, length);
	else if (value == '?')
		print_wrong_short_option(options->letters);
	*argument = optarg;
	*operands = optind;
	return value;
}

/* Apply EFFECT to the structure CONTEXT.  Returns -1 to go on, or an exit status with which the program ends. */
static int apply_effect(const struct option_effect *effect, void *context, const char *argument)
{
	char *member = (char *)context + effect->offset;
	switch (effect->kind) {
	case OPTION_IS_BOOL:
		*(bool *)member = effect->value;
		break;
	case OPTION_IS_TEXT:
		*(const char **)member = argument;
		break;
	case OPTION_IS_VALUE:
		memcpy(member, &effect->value, sizeof effect->value);
		break;
	case OPTION_IS_CALL:
		return effect->call(member, argument);
	case OPTION_IS_NONE:
		break;
	}
	return -1;
}

int options_parse(struct options *options, void *context, int *operands)
{
	int status = -1, option;
	char *argument;
	*operands = 1;
	if (!options_open(options))
		status = diag_memory_exit_status();
	while (status < 0 && (option = options_find_next(options, &argument, operands)) != -1) {
		if (option != '?' && options->note)
			options->note(context, options->row);
		status = option == '?' ? options->wrong() : apply_effect(&options->row->effect, context, argument);
	}
	options_close(options);
	return status;
}

/* -------------------------------------------------------------------------------------- printing the help */

enum { HELP_AT = 25, HELP_WIDTH = 80 }; /* the column at which texts begin, and the columns of a line */

/* Print TEXT, which begins in column AT, in lines of at most HELP_WIDTH columns. */
static void print_wrapped_text(struct out *out, const char *text, size_t at)
{
	while (*text) {
		size_t blanks = strspn(text, " "), length = blanks + strcspn(text + blanks, " ");
		if (at + length > HELP_WIDTH && blanks) {
			out_char(out, '\n');
			for (at = 0; at < HELP_AT; at++)
				out_char(out, ' ');
			text += blanks;
			length -= blanks;
		}
		out_bytes(out, text, length);
		text += length;
		at += length;
	}
}

/* Print the help for ROW.  WRAPPED: print lines of at most HELP_WIDTH columns. */
static void print_row_help(struct out *out, const struct option_row *row, bool wrapped)
{
	size_t width = 7 + strlen(row->name) + (row->argument ? strlen(row->argument) : 0);
	out_text(out, row->letter ? "  -" : "    ");
	out_char(out, row->letter ? (char)row->letter : ' ');
	out_text(out, row->letter ? " --" : "--");
	out_text(out, row->name);
	if (row->argument)
		out_text(out, row->argument);
	do
		out_char(out, ' ');
	while (++width < HELP_AT);
	if (wrapped)
		print_wrapped_text(out, row->help, width);
	else
		out_text(out, row->help);
	out_char(out, '\n');
}

void options_print_help_in_order(struct out *out, const struct option_row *rows, const char *order)
{
	for (; *order; order++)
		for (const struct option_row *row = rows; row->name; row++)
			if (row->help && row->letter == *order)
				print_row_help(out, row, false);
}

void options_print_help(struct out *out, const struct option_row *row, bool all, enum option_table except)
{
	for (; row->name; row++) {
		if (!row->help || row->table == except || !(all || row->common))
			continue;
		if (all && row->group) {
			out_char(out, ' ');
			out_text(out, row->group);
			out_text(out, ":\n");
		}
		print_row_help(out, row, true);
	}
}

/* ------------------------------------------------------------------------------------ what all programs share */

void common_print_version(struct out *out, const char *program)
{
	out_text(out, program);
	out_text(out, " (" PACKAGE_NAME ") " PACKAGE_VERSION "\n"
		      "Copyright (C) 2026 the rossym authors.\n"
		      "This program is free software; you may redistribute it under the terms of\n"
		      "the GNU General Public License version 2 or (at your option) any later version.\n"
		      "This program has absolutely no warranty.\n");
}

int common_print_usage_error(void (*put_usage)(struct out *out))
{
	/* PUT_USAGE writes to a struct out.  TEXT is used only as a buffer, which diag_print_lines() prints. */
	static struct out text;
	put_usage(&text);
	diag_print_lines(text.buffer, text.used);
	return 1;
}

int common_suggest_help(void)
{
	return !diag_print_plain("Try '%s --help' for more information.", diag_program());
}

int common_apply_path_map(void *paths, const char *argument)
{
	const enum paths_status status = paths_add_map(paths, argument);
	if (status == PATHS_BAD_MAP)
		return !diag("--path-map: '%s' is not OLD=NEW", argument);
	return status == PATHS_OK ? -1 : diag_memory_exit_status();
}

int common_apply_demangle(const char *argument)
{
	if (!argument || demangle_set_style(argument))
		return -1;
	return !diag("unknown demangling style `%s'", argument);
}

int common_apply_quiet(void *context, const char *argument)
{
	(void)context;
	(void)argument;
	diag_be_quiet();
	return -1;
}

int common_print_help(struct out *out, void (*put_summary)(struct out *out), const struct option_row *rows,
		      const char *argument)
{
	if (argument && strcmp(argument, "all") != 0)
		return !diag("--help: '%s' is not all", argument);
	put_summary(out);
	out_text(out, "  @<file>                Read options from <file>\n");
	options_print_help(out, rows, argument, OPTION_TABLES);
	return 0;
}
