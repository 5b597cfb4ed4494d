/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/tool/command/options.c: every prefix of every long option, which table it belongs to, clusters, operands,
   and --help. */
#include "config.h"

#include "tests/lib/tap.h"
#include "tool/diag.h"
#include "tool/command/options.h"

#include <stdio.h>
#include <stdlib.h>
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

static FILE *caught;

/* What was said on stderr since the last call. */
static const char *said(void)
{
	static char text[2048];

	fflush(stderr);
	rewind(caught);
	size_t n = fread(text, 1, sizeof text - 1, caught);
	text[n] = '\0';
	rewind(caught);
	if (ftruncate(fileno(caught), 0))
		abort();
	return text;
}

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
	while ((value = options_next(&o, &argument, &operands)) != -1) {
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

static void gives(const char *line, const char *want)
{
	char result[1024];

	parse(line, result, sizeof result);
	is_str(result, want, line);
	is_str(said(), "", "nothing is said");
}

static void complains(const char *line, const char *want, const char *message)
{
	char result[1024];

	parse(line, result, sizeof result);
	is_str(result, want, line);
	is_str(said(), message, "what is said");
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
	gives(line, want);
	if (*argument) {
		snprintf(line, sizeof line, "--%s=value operand", text);
		gives(line, want);
	}
}

static void prefixes(void)
{
	for (const struct option_row *row = rows; row->name; row++)
		for (size_t length = 1; row->table != OPTION_WHOLE && row->name[0] && row->name[length - 1]; length++)
			prefix(row->name, length);
}

/* The letters that both tables begin with, by hand: the rule above could be wrong in the same way. */
static void rivals(void)
{
	gives("--r", "R |");
	gives("--re", "R |");
	gives("--rec", "R |");
	gives("--ret", "return-addresses |");
	gives("--rv", "rva |");
	gives("--d", "C |");
	gives("--d=auto", "C=auto |");
	gives("--da", "data |");
	gives("--du", "dump |");
	gives("--s .text", "j=.text |");
	gives("--so /src", "source-root=/src |");
	gives("--p", "p |");
	gives("--pa=a=b", "path-map=a=b |");
	gives("--n", "r |");
	gives("--no", "r |");
	gives("--b", "s |");
	gives("--base", "s |");
	gives("--l 10", "load-address=10 |");
	gives("--c", "check |");
}

static void forms(void)
{
	gives("", "|");
	gives("-afp -ex.exe 4015e0", "a f p e=x.exe | 4015e0");
	gives("-afpex.exe 4015e0", "a f p e=x.exe | 4015e0");
	gives("-afpe x.exe 4015e0", "a f p e=x.exe | 4015e0");
	gives("-afpj.text -ex.exe 5e0", "a f p j=.text e=x.exe | 5e0");
	gives("-e=F", "e==F |");
	gives("0x4015e0 -e x.exe -f", "e=x.exe f | 0x4015e0");
	gives("1 --rva 2 --data 3", "rva data | 1 2 3");
	gives("1 2 -a --rva -f --load-address 9 3", "a rva f load-address=9 | 1 2 3");
	gives("-a --rva", "a rva |");
	gives("-e --rva --rva", "e=--rva rva |");
	gives("--exe --rva -- --rva", "e=--rva | --rva");
	gives("--load-address --rva --rva", "load-address=--rva rva |");
	gives("-e x.exe -- 0x4015e0 -f", "e=x.exe | 0x4015e0 -f");
	gives("1 -- --rva", "| 1 --rva");
	gives("-e x.exe --", "e=x.exe |");
	gives("- --rva -", "rva | - -");
	gives("-H -h -V -v", "H h V v |");
	gives("--demangle=rust --demangle", "C=rust C |");
	gives("--obj x.exe --obj=y.exe", "e=x.exe e=y.exe |");
	gives("--functions=none --functions", "functions=none f |");
}

static void errors(void)
{
	complains("-z", "? |", "prog: invalid option -- 'z'\n");
	complains("-Cauto", "C a ? |", "prog: invalid option -- 'u'\n");
	complains("-C=auto", "C ? |", "prog: invalid option -- '='\n");
	complains("-1", "? |", "prog: invalid option -- '1'\n");
	complains("-e", "? |", "prog: option requires an argument -- 'e'\n");
	complains("-afj", "a f ? |", "prog: option requires an argument -- 'j'\n");
	complains("--ex", "? |", "prog: option '--exe' requires an argument\n");
	complains("--bogus", "? |", "prog: unrecognized option '--bogus'\n");
	complains("--bogus=3", "? |", "prog: unrecognized option '--bogus=3'\n");
	complains("--func=", "? |", "prog: option '--functions' doesn't allow an argument\n");
	complains("--rva=3", "? |", "prog: option '--rva' doesn't allow an argument\n");
	complains("--load", "? |", "prog: option '--load-address' requires an argument\n");
	complains("--r\033[2J=\001", "? |", "prog: unrecognized option '--r?[2J=?'\n");
	complains("--d\x9b", "? |", "prog: unrecognized option '--d?'\n");
	complains("-a\033", "a ? |", "prog: invalid option -- '?'\n");
	complains("--ob=x.exe", "? |", "prog: unrecognized option '--ob=x.exe'\n");
	complains("--obj", "? |", "prog: option '--obj' requires an argument\n");
	complains("--rvas", "? |", "prog: unrecognized option '--rvas'\n");
	complains("--=\0333", "? |",
		  "prog: option '--=?3' is ambiguous; possibilities: '--addresses' '--basenames' '--demangle' "
		  "'--exe' '--functions' '--inlines' '--pretty-print' '--recurse-limit' '--recursion-limit' "
		  "'--no-recurse-limit' '--no-recursion-limit' '--section' '--target' '--help' '--version'\n");
}

static void posixly_correct(void)
{
	setenv("POSIXLY_CORRECT", "1", 1);
	gives("-e x.exe 0x4015e0 -f", "e=x.exe | 0x4015e0 -f");
	gives("--rva 1 --data", "rva | 1 --data");
	gives("1 --rva", "| 1 --rva");
	gives("- --rva", "| - --rva");
	gives("-a --rva --r -- --rva", "a rva R | --rva");
	complains("--bogus 1 --rva", "? |", "prog: unrecognized option '--bogus'\n");
	unsetenv("POSIXLY_CORRECT");
	gives("1 --rva", "rva | 1");
}

static void help(void)
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

	options_help_in_order(&out, some, "bca");
	out.buffer[out.used] = '\0';
	is_str(out.buffer,
	       "  -b --both=<x>          Two\n"
	       "  -c --exactly-seventeen A line of help that ends in the eightieth column.  It goes\n"
	       "  -a --all               Everything\n",
	       "in the order that was asked for, in lines of any length");
	out.used = 0;
	options_help(&out, some, false, OPTION_TABLES);
	out.buffer[out.used] = '\0';
	is_str(out.buffer,
	       "  -a --all               Everything\n"
	       "  -b --both=<x>          Two\n"
	       "     --own=A             Ours\n"
	       "     --much-longer-than-that Pushed\n",
	       "the common ones");
	out.used = 0;
	options_help(&out, some, true, OPTION_TABLES);
	out.buffer[out.used] = '\0';
	is_str(out.buffer,
	       " GNU's:\n"
	       "  -a --all               Everything\n"
	       "  -b --both=<x>          Two\n"
	       " Ours:\n"
	       "     --own=A             Ours\n"
	       "  -c --exactly-seventeen A line of help that ends in the eightieth column.  It\n"
	       "                         goes\n"
	       "     --much-longer-than-that Pushed\n",
	       "all, with headings, in lines of at most 80 columns");
	out.used = 0;
	options_help(&out, some, true, OPTION_FIRST);
	out.buffer[out.used] = '\0';
	is_str(out.buffer,
	       " Ours:\n"
	       "     --own=A             Ours\n"
	       "     --much-longer-than-that Pushed\n",
	       "all but those of a table");
}

int main(void)
{
	static struct out out;
	diag_start("prog", &out);
	caught = tmpfile();
	if (!caught || dup2(fileno(caught), STDERR_FILENO) < 0)
		return skip_all("no temporary file");
	unsetenv("POSIXLY_CORRECT");
	prefixes();
	rivals();
	forms();
	errors();
	posixly_correct();
	help();
	int status = done_testing();
	fclose(caught);
	return status;
}
