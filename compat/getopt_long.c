/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getopt_long.c - getopt_long with the behaviour of glibc, but without messages: tool/command/options.c writes them
 *
 * Other C libraries permute arguments differently or not at all, or refuse abbreviations that glibc accepts.  Programs
 * use this file where configure defines USE_COMPAT_GETOPT; it is compiled everywhere, so that tests/tool/unit-getopt.c
 * can compare it with glibc.
 */
#include "getopt.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

char *rs_optarg;
int rs_optind = 1;
int rs_optopt = '?';

/* The state of the scan between two calls. */
static struct {
	enum { NOT_STARTED, PERMUTE, STOP_AT_OPERAND } mode;
	char *cluster; /* what is left of a word of short options; NULL or "" between words */
	/* argv[passed..passed_end) are operands that were skipped and must move after the options */
	int passed, passed_end;
} scan;

static void start_scan(void)
{
	if (rs_optind == 0)
		rs_optind = 1;
	scan.passed = scan.passed_end = rs_optind;
	scan.cluster = NULL;
	scan.mode = getenv("POSIXLY_CORRECT") ? STOP_AT_OPERAND : PERMUTE;
}

/* Reverse the order of the words of argv from number FROM to number TO - 1.  The type of argv forbids changes, but
   every implementation of getopt_long() that permutes operands changes argv. */
static void reverse_words(char **words, int from, int to)
{
	while (from < --to) {
		char *word = words[from];

		words[from++] = words[to];
		words[to] = word;
	}
}

/* Move the skipped operands after the options that follow them, which end at rs_optind.  Reversing both parts, and then
   the whole, exchanges the parts. */
static void move_operands(char **words)
{
	int options = rs_optind - scan.passed_end;

	reverse_words(words, scan.passed, scan.passed_end);
	reverse_words(words, scan.passed_end, rs_optind);
	reverse_words(words, scan.passed, rs_optind);
	scan.passed += options;
	scan.passed_end = rs_optind;
}

/* Whether WORD does not begin with "-", or is "-" alone. */
static bool is_operand(const char *word)
{
	return word[0] != '-' || word[1] == '\0';
}

/* Parse the long option at rs_optind.  Accepts an abbreviation if all names that begin with it have one value. */
static int parse_long_option(int argc, char *const *argv, const struct rs_option *longs)
{
	char *text = argv[rs_optind++] + 2;
	size_t length = strcspn(text, "=");
	const struct rs_option *found = NULL;
	bool exact = false, ambiguous = false;

	for (const struct rs_option *o = longs; o->name && !exact; o++) {
		if (strncmp(o->name, text, length) != 0)
			continue;
		exact = o->name[length] == '\0';
		if (!found || exact)
			found = o;
		else if (o->has_arg != found->has_arg || o->val != found->val)
			ambiguous = true;
	}
	scan.cluster = NULL;
	if (!found || (ambiguous && !exact)) {
		rs_optopt = 0;
		return '?';
	}
	if (text[length] == '=' && found->has_arg == RS_NO_ARGUMENT) {
		rs_optopt = found->val;
		return '?';
	}
	if (text[length] == '=') {
		rs_optarg = text + length + 1;
	} else if (found->has_arg == RS_REQUIRED_ARGUMENT) {
		if (rs_optind >= argc) {
			rs_optopt = found->val;
			return '?';
		}
		rs_optarg = argv[rs_optind++];
	}
	return found->val;
}

/* Parse the next letter of scan.cluster, and its argument, which is the rest of the word or the next word. */
static int parse_short_option(int argc, char *const *argv, const char *shorts)
{
	char c = *scan.cluster++;
	const char *known = c == ':' || c == ';' ? NULL : strchr(shorts, c);
	bool last = *scan.cluster == '\0';

	if (!known || known[1] != ':') {
		if (last)
			rs_optind++;
		if (known)
			return c;
		rs_optopt = c;
		return '?';
	}
	rs_optind++;
	if (!last) {
		rs_optarg = scan.cluster;
	} else if (known[2] != ':') {
		if (rs_optind >= argc) {
			rs_optopt = c;
			c = '?';
		} else {
			rs_optarg = argv[rs_optind++];
		}
	}
	scan.cluster = NULL;
	return c;
}

/* Move rs_optind to the next option or, where operands are not permuted, to the next word.  Returns false if there are
   no more options; then rs_optind is the index of the first operand. */
static bool move_to_next_option(int argc, char *const *argv)
{
	char **words = (char **)argv;

	/* The caller may have set rs_optind to a lower index. */
	if (scan.passed_end > rs_optind)
		scan.passed_end = rs_optind;
	if (scan.passed > rs_optind)
		scan.passed = rs_optind;
	if (scan.mode == PERMUTE) {
		if (scan.passed != scan.passed_end && scan.passed_end != rs_optind)
			move_operands(words);
		else if (scan.passed_end != rs_optind)
			scan.passed = rs_optind;
		while (rs_optind < argc && is_operand(argv[rs_optind]))
			rs_optind++;
		scan.passed_end = rs_optind;
	}
	if (rs_optind < argc && !strcmp(argv[rs_optind], "--")) {
		rs_optind++;
		if (scan.passed != scan.passed_end)
			move_operands(words);
		else
			scan.passed = rs_optind;
		rs_optind = scan.passed_end = argc;
	}
	if (rs_optind < argc)
		return true;
	if (scan.passed != scan.passed_end)
		rs_optind = scan.passed;
	return false;
}

int rs_getopt_long(int argc, char *const *argv, const char *shorts, const struct rs_option *longs, int *unused)
{
	(void)unused;
	if (argc < 1)
		return -1;
	rs_optarg = NULL;
	if (rs_optind == 0 || scan.mode == NOT_STARTED)
		start_scan();
	if (!scan.cluster || !*scan.cluster) {
		if (!move_to_next_option(argc, argv))
			return -1;
		char *word = argv[rs_optind];
		if (is_operand(word)) /* only where operands are not permuted; the first operand ends the options */
			return -1;
		if (word[1] == '-')
			return parse_long_option(argc, argv, longs);
		scan.cluster = word + 1;
	}
	return parse_short_option(argc, argv, shorts);
}
