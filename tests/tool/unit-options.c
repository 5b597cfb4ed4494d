/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/command/options.c: every prefix of every long option, which table it belongs to, clusters, operands,
   and --help. */
#include "config.h"

#include "tests/lib/cases.h"
#include "tests/lib/files.h"
#include "tests/lib/tap.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <unistd.h>

#include "compat/compat.h"

enum { WORDS_MAX = 12 };

#define NO_EFFECT \
	{ \
		OPTION_IS_NONE, 0, 0, NULL \
	}

/* GNU addr2line's own table, in its own order; then options of ours, and some that cannot be abbreviated. */
static const struct option_row rows[] = {
	{ 'a', "addresses", NULL, "A", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 's', "basenames", NULL, "S", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'C', "demangle", "[=style]", "C", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'e', "exe", "=<executable>", "E", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'f', "functions", NULL, "F", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'i', "inlines", NULL, "I", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'p', "pretty-print", NULL, "P", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'R', "recurse-limit", NULL, "R", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'R', "recursion-limit", NULL, NULL, NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'r', "no-recurse-limit", NULL, "r", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'r', "no-recursion-limit", NULL, NULL, NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'j', "section", "=<name>", "J", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'b', "target", "=<bfdname>", "B", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'H', "help", NULL, "H", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'V', "version", NULL, "V", NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 0, "rva", NULL, "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "load-address", "=ADDR", "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "return-addresses", NULL, "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "return-address", NULL, NULL, NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "data", NULL, "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "source-root", "=DIR", "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "path-map", "=OLD=NEW", "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "dump", NULL, "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 0, "check", NULL, "x", NO_EFFECT, OPTION_SECOND, false, NULL },
	{ 'e', "obj", "=FILE", NULL, NO_EFFECT, OPTION_WHOLE, false, NULL },
	{ 0, "functions", "=STYLE", "x", NO_EFFECT, OPTION_WHOLE, false, NULL },
	{ 'v', "", NULL, NULL, NO_EFFECT, OPTION_FIRST, false, NULL },
	{ 'h', "", NULL, NULL, NO_EFFECT, OPTION_FIRST, false, NULL },
	OPTION_ROWS_END,
};

/* Parse LINE, words separated by blanks, and describe what came out: "a e=x.exe | operands". */
static void parse(const char *line, char *result, size_t size)
{
	static char words[512];
	char *argv[WORDS_MAX + 2] = { (char[]){ "prog" } }, *argument;
	struct options o = { .argc = 1, .argv = argv, .rows = rows };
	int value, operands = 1;
	size_t n = 0;
	snprintf(words, sizeof words, "%s", line);
	for (char *word = strtok(words, " "); word && o.argc < WORDS_MAX; word = strtok(NULL, " "))
		argv[o.argc++] = word;
	if (!options_open(&o))
		abort();
	/* Forget the last command line, and stand where a program begins: getopt_long does the first only together with
	   a parse. */
	optind = 0;
	getopt_long(1, argv, o.letters, o.tables[0], NULL);
	while ((value = options_find_next(&o, &argument, &operands)) != -1) {
		if (value < 256)
			n += (size_t)snprintf(result + n, size - n, "%c", value);
		else
			n += (size_t)snprintf(result + n, size - n, "%s", o.row->name);
		n += (size_t)snprintf(result + n, size - n, argument && value != '?' ? "=%s " : " ", argument);
		if (value == '?')
			break;
	}
	options_close(&o);
	n += (size_t)snprintf(result + n, size - n, "|");
	for (; operands < o.argc && value != '?'; operands++)
		n += (size_t)snprintf(result + n, size - n, " %s", argv[operands]);
}

/* Checks what LINE gives, and that nothing is said, or MESSAGE. */
static void gives(const char *line, const char *want, const char *message)
{
	char result[1024];
	parse(line, result, sizeof result);
	is_str(result, want, line);
	is_str(files_caught(), message, *message ? "what is said" : "nothing is said");
}

/* Checks the command lines of SECTION. */
static void lines(struct case_file *cases, const char *section)
{
	while (cases_next(cases, section)) {
		char *message = strstr(cases->expected, "| prog: "), said_line[1024] = "";
		if (message) {
			snprintf(said_line, sizeof said_line, "%s\n", message + 2);
			message[1] = '\0';
		}
		gives(cases->input, cases->expected, said_line);
	}
}

/* What an option does is told by its letter or, if it has none, by the name before its other names. */
static const char *meaning(const struct option_row *row)
{
	static char letter[2];
	if (row->letter) {
		letter[0] = (char)row->letter;
		return letter;
	}
	while (!row->help)
		row--;
	return row->name;
}

/* The rule for abbreviations, said once more: the rows of TABLE that begin with the text must all mean the same, unless
   one of them is the text. */
static const struct option_row *meant(enum option_table table, const char *name, bool *ambiguous)
{
	const struct option_row *found = NULL;
	*ambiguous = false;
	for (const struct option_row *row = rows; row->name; row++) {
		if (row->table != table || !row->name[0] || strncmp(row->name, name, strlen(name)) != 0)
			continue;
		if (strcmp(row->name, name) == 0) {
			*ambiguous = false;
			return row;
		}
		*ambiguous |= found && (found->letter != row->letter ||
					(!row->letter && strcmp(meaning(found), meaning(row)) != 0));
		found = row;
	}
	return found;
}

static void prefix(const char *name, size_t length)
{
	char text[64], line[80], want[128];
	bool ambiguous;
	snprintf(text, sizeof text, "%.*s", (int)length, name);
	const struct option_row *row = meant(OPTION_FIRST, text, &ambiguous);
	if (!row)
		row = meant(OPTION_SECOND, text, &ambiguous);
	const char *argument = row->argument && *row->argument == '=' ? "value" : "";
	snprintf(line, sizeof line, *argument ? "--%s %s operand" : "--%s operand", text, argument);
	snprintf(want, sizeof want, *argument ? "%s=%s | operand" : "%s | operand", meaning(row), argument);
	if (ambiguous) {
		ok(false, "--%s is ambiguous", text);
		return;
	}
	gives(line, want, "");
	if (*argument) {
		snprintf(line, sizeof line, "--%s=value operand", text);
		gives(line, want, "");
	}
}

static void prefixes(void)
{
	for (const struct option_row *row = rows; row->name; row++)
		for (size_t length = 1; row->table != OPTION_WHOLE && row->name[0] && row->name[length - 1]; length++)
			prefix(row->name, length);
}

static void help(struct case_file *cases)
{
	static struct out out;
	static const struct option_row some[] = {
		{ 'a', "all", NULL, "Everything", NO_EFFECT, OPTION_FIRST, true, "GNU's" },
		{ 'b', "both", "=<x>", "Two", NO_EFFECT, OPTION_FIRST, true, NULL },
		{ 'b', "beide", NULL, NULL, NO_EFFECT, OPTION_FIRST, true, NULL },
		{ 0, "own", "=A", "Ours", NO_EFFECT, OPTION_SECOND, true, "Ours" },
		{ 'c', "exactly-seventeen", NULL, "A line of help that ends in the eightieth column.  It goes",
		  NO_EFFECT, OPTION_FIRST, false, NULL },
		{ 0, "much-longer-than-that", NULL, "Pushed", NO_EFFECT, OPTION_SECOND, true, NULL },
		OPTION_ROWS_END,
	};

	while (cases_next(cases, "help")) {
		char want[1024];
		const char *name = cases_rest(cases, cases->expected, ": ");
		out.used = 0;
		if (strcmp(cases->expected, "bca") == 0)
			options_print_help_in_order(&out, some, "bca");
		else
			options_print_help(&out, some, strcmp(cases->expected, "common") != 0,
					   strcmp(cases->expected, "rest") == 0 ? OPTION_FIRST : OPTION_TABLES);
		out.buffer[out.used] = '\0';
		snprintf(want, sizeof want, "%.1000s\n", cases->input);
		is_str(out.buffer, want, name);
	}
}

int main(void)
{
	static struct out out;
	struct case_file cases;
	diag_start("prog", &out);
	if (!files_catch_errors())
		return skip_all("no temporary file");
	unsetenv("POSIXLY_CORRECT");
	prefixes();
	cases_open(&cases, "tests/tool/unit-options.cases");
	lines(&cases, "rivals");
	lines(&cases, "forms");
	lines(&cases, "errors");
	setenv("POSIXLY_CORRECT", "1", 1);
	lines(&cases, "POSIXLY_CORRECT");
	unsetenv("POSIXLY_CORRECT");
	gives("1 --rva", "rva | 1", "");
	help(&cases);
	cases_close(&cases);
	return done_testing();
}
