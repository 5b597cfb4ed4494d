// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/command/options.h"
#include "tool/diag.h"
#include "tool/strbuf.h"

#include "compat/compat.h"

#include <stdlib.h>
#include <string.h>

/* Returns ROWS as a table for getopt_long(), which the caller frees; NULL: no memory.  Each row without a letter gets a
   unique value: if two rows had the same, getopt_long() would accept an abbreviation that fits both.  NUMBER must
   differ between tables, so that their values do. */
static struct option *make_table(const struct option_row *rows, int number)
{
	enum { FIRST_VALUE = 1 << 16 };
	size_t count = 0;
	while (rows && rows[count].name)
		count++;
	struct option *table = calloc(count + 1, sizeof *table);
	for (size_t i = 0; table && i < count; i++) {
		table[i].name = rows[i].name;
		table[i].has_arg = !rows[i].argument		? no_argument
				   : rows[i].argument[0] == '[' ? optional_argument
								: required_argument;
		table[i].val = rows[i].value ? rows[i].value : FIRST_VALUE * (number + 1) + (int)i;
	}
	return table;
}

bool options_open(struct options *options)
{
	options->tables[0] = make_table(options->first, 0);
	options->tables[1] = make_table(options->second, 1);
	options->tables[2] = make_table(options->synonyms, 2);
	return options->tables[0] && options->tables[1] && options->tables[2];
}

void options_close(struct options *options)
{
	free(options->tables[0]);
	free(options->tables[1]);
	free(options->tables[2]);
}

/* Returns the element of ARGV that getopt_long() parses next, which may be a cluster of letters, "-abc", that
   it has begun. */
static const char *next_argument(const struct options *options)
{
	int i = optind;
	if (!getenv("POSIXLY_CORRECT"))
		while (i < options->argc && (options->argv[i][0] != '-' || options->argv[i][1] == '\0'))
			i++; /* getopt_long() skips operands, unless POSIXLY_CORRECT is set */
	return i < options->argc ? options->argv[i] : "";
}

/* ------------------------------------------------------------------------------------------- wrong ones */

/* getopt_long() would print control characters of an option as they are.  So its messages are switched off, and these
   functions print the same texts, masked.  The texts are glibc's, and so GNU addr2line's. */

/* Returns the row whose name is NAME, of LENGTH bytes; else the first row whose name begins with NAME; else NULL. */
static const struct option_row *find_row(const struct option_row *rows, const char *name, size_t length)
{
	const struct option_row *found = NULL;
	for (; rows && rows->name; rows++)
		if (strncmp(rows->name, name, length) == 0 && (!found || rows->name[length] == '\0'))
			found = rows;
	return found;
}

/* Returns the row of the option LETTER; NULL: there is none. */
static const struct option_row *find_letter(const struct option_row *rows, int letter)
{
	while (rows && rows->name && rows->value != letter)
		rows++;
	return rows && rows->name ? rows : NULL;
}

/* Print that WORD is an abbreviation of several options of ROWS with different values. */
static void print_ambiguous(const struct option_row *rows, const char *word, const char *name, size_t length)
{
	struct strbuf names = { .bytes = NULL };
	const struct option_row *first = find_row(rows, name, length);
	for (; rows->name; rows++)
		if (rows == first ||
		    (strncmp(rows->name, name, length) == 0 && (rows->value == 0 || rows->value != first->value))) {
			strbuf_add(&names, " '--");
			strbuf_add(&names, rows->name);
			strbuf_add_char(&names, '\'');
		}
	diag("option '%s' is ambiguous; possibilities:%s", word, names.bytes ? names.bytes : "");
	strbuf_clear(&names);
}

/* Print what is wrong with WORD, a long option that getopt_long() has refused.  getopt_long() has set optopt to 0 for
   an unknown or ambiguous option, else to the option's value. */
static void print_wrong_long(const struct option_row *rows, const char *word, const char *name, size_t length)
{
	const struct option_row *row = find_row(rows, name, length);
	if (!row)
		diag("unrecognized option '%s'", word);
	else if (optopt == 0)
		print_ambiguous(rows, word, name, length);
	else if (name[length] == '=')
		diag("option '--%s' doesn't allow an argument", row->name);
	else
		diag("option '--%s' requires an argument", row->name);
}

static void print_wrong_short(const char *letters)
{
	const char *known = strchr(letters, optopt);
	if (known && known[1] == ':')
		diag("option requires an argument -- '%c'", optopt);
	else
		diag("invalid option -- '%c'", optopt);
}

/* Whether NAME, of LENGTH bytes, is a synonym, not abbreviated.  If the first table has an option of that name, too,
   NAME is the synonym only if "=" follows, because the option of the first table takes no argument. */
static bool is_synonym(const struct options *options, const char *name, size_t length)
{
	const struct option_row *row = find_row(options->synonyms, name, length);
	if (!row || length == 0 || row->name[length] != '\0')
		return false;
	const struct option_row *other = find_row(options->first, name, length);
	return !other || other->name[length] != '\0' || name[length] == '=';
}

bool options_is_synonym(const struct options *options, const char *word)
{
	return is_synonym(options, word + 2, strcspn(word + 2, "="));
}

int options_next(struct options *options, char **argument, int *operands)
{
	const char *word = next_argument(options), *name = NULL;
	const struct option_row *rows = options->first;
	size_t length = 0;
	int table = 0;
	/* Call getopt_long() with the one table in which the next long option is looked up (options.h). */
	if (strncmp(word, "--", 2) == 0) {
		name = word + 2;
		length = strcspn(name, "=");
		table = is_synonym(options, name, length)
				? 2
				: !find_row(options->first, name, length) && find_row(options->second, name, length);
		rows = table == 2 ? options->synonyms : table == 1 ? options->second : rows;
	}
	options->word = name ? word : NULL;
#ifndef USE_COMPAT_GETOPT /* the getopt_long() of compat/ prints no messages */
	opterr = 0;
#endif
	int at = -1, value = getopt_long(options->argc, options->argv, options->letters, options->tables[table], &at);
	const struct option_row *const tables[] = { options->first, options->second, options->synonyms,
						    options->short_only };
	options->row = at >= 0 ? &tables[table][at] : NULL;
	for (int i = 0; value > 0 && at < 0 && !options->row && i < 4; i++)
		options->row = find_letter(tables[i], value);
	if (value == '?' && name)
		print_wrong_long(rows, word, name, length);
	else if (value == '?')
		print_wrong_short(options->letters);
	*argument = optarg;
	*operands = optind;
	return value;
}

/* Print the line of --help for ROW. */
static void put_row(struct out *out, const struct option_row *row)
{
	enum { NAME_WIDTH = 18 };
	size_t width = strlen(row->name);
	if (row->value > 0 && row->value < 256) {
		out_text(out, "  -");
		out_char(out, (char)row->value);
		out_text(out, " --");
	} else {
		out_text(out, "     --");
	}
	out_text(out, row->name);
	if (row->argument) {
		out_text(out, row->argument);
		width += strlen(row->argument);
	}
	do
		out_char(out, ' ');
	while (++width < NAME_WIDTH);
	out_text(out, row->help);
	out_char(out, '\n');
}

void options_help_in_order(struct out *out, const struct option_row *rows, const char *order)
{
	for (; *order; order++)
		for (const struct option_row *row = rows; row->name; row++)
			if (row->help && row->value == *order)
				put_row(out, row);
}

/* Print the heading before the row of the option NAME, if there is one. */
static void put_heading(struct out *out, const struct option_heading *heading, const char *name)
{
	for (; heading && heading->text; heading++)
		if (strcmp(heading->before, name) == 0) {
			out_text(out, heading->text);
			out_char(out, '\n');
		}
}

void options_help(struct out *out, const struct option_row *rows, const struct option_heading *headings)
{
	for (; rows->name; rows++) {
		put_heading(out, headings, rows->name);
		if (rows->help)
			put_row(out, rows);
	}
}
