// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/options.h"

#include "compat/compat.h"

#include <stdlib.h>
#include <string.h>

static struct option *make_table(const struct option_row *rows)
{
	size_t count = 0;
	while (rows[count].name)
		count++;
	struct option *table = calloc(count + 1, sizeof *table);
	for (size_t i = 0; table && i < count; i++) {
		table[i].name = rows[i].name;
		table[i].has_arg = !rows[i].argument ? no_argument
				 : rows[i].argument[0] == '[' ? optional_argument : required_argument;
		table[i].val = rows[i].value;
	}
	return table;
}

bool options_open(struct options *options)
{
	options->tables[0] = make_table(options->first);
	options->tables[1] = make_table(options->second);
	return options->tables[0] && options->tables[1];
}

void options_close(struct options *options)
{
	free(options->tables[0]);
	free(options->tables[1]);
}

/* The argument that getopt_long will look at next, unless it is in the middle of a cluster of letters. */
static const char *next_argument(const struct options *options)
{
	int i = optind;
	if (!getenv("POSIXLY_CORRECT"))
		while (i < options->argc && (options->argv[i][0] != '-' || options->argv[i][1] == '\0'))
			i++;
	return i < options->argc ? options->argv[i] : "";
}

static bool begins_a_name(const struct option_row *rows, const char *text, size_t length)
{
	for (; rows->name; rows++)
		if (strncmp(rows->name, text, length) == 0)
			return true;
	return false;
}

int options_next(struct options *options, char **argument, int *operands)
{
	const char *next = next_argument(options);
	void *table = options->tables[0];
	if (strncmp(next, "--", 2) == 0) {
		const char *name = next + 2;
		size_t length = strcspn(name, "=");
		if (!begins_a_name(options->first, name, length) && begins_a_name(options->second, name, length))
			table = options->tables[1];
	}
	int value = getopt_long(options->argc, options->argv, options->letters, table, NULL);
	*argument = optarg;
	*operands = optind;
	return value;
}

static void put_row(struct out *out, const struct option_row *row)
{
	enum { NAME_WIDTH = 18 };
	size_t width = strlen(row->name);
	if (row->value < 256) {
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

void options_help(struct out *out, const struct option_row *rows, const char *order)
{
	if (!order) {
		for (; rows->name; rows++)
			if (rows->help)
				put_row(out, rows);
		return;
	}
	for (; *order; order++)
		for (const struct option_row *row = rows; row->name; row++)
			if (row->help && row->value == *order)
				put_row(out, row);
}
