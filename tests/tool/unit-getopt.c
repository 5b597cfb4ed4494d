/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat/getopt_long.c against glibc's: the same command line must give the same results, optarg, optind, optopt,
 * and order of argv, without messages.  The command lines are pseudo-random but always the same.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include <getopt.h>

#include "tests/lib/tap.h"

#ifndef __GLIBC__

int main(void)
{
	return skip_all("the C library is not glibc");
}

#else

#undef USE_COMPAT_GETOPT
#include "../compat/getopt.h"

enum { ARGS_MAX = 9, LOG_SIZE = 16384 };

/* GNU addr2line's options; exact names that begin others; a rival and a second spelling of the first. */
/* clang-format off */
#define OPTIONS(X) \
	X("addresses", 0, 'a') X("basenames", 0, 's') X("demangle", 2, 'C') X("exe", 1, 'e') X("functions", 0, 'f') \
	X("inlines", 0, 'i') X("pretty-print", 0, 'p') X("recurse-limit", 0, 'R') X("recursion-limit", 0, 'R') \
	X("no-recurse-limit", 0, 'r') X("no-recursion-limit", 0, 'r') X("section", 1, 'j') X("target", 1, 'b') \
	X("help", 0, 'H') X("version", 0, 'V') X("flag", 0, 7) X("flags", 2, 8) X("flagship", 1, 300) X("fl", 0, 301) \
	X("aliases", 0, 'a') X("adjust", 0, 302)
/* clang-format on */

#define HOST_ROW(name, has_arg, val) { name, has_arg, NULL, val },
#define OUR_ROW(name, has_arg, val) { name, has_arg, val },
static const struct option host_options[] = { OPTIONS(HOST_ROW){ NULL, 0, NULL, 0 } };
static const struct rs_option our_options[] = { OPTIONS(OUR_ROW){ NULL, 0, 0 } };

static const char *const shorts[] = {
	"ab:Ce:rRsfHhij:pVv", "ab:e:f", "ab::Ce::f", "a;b:", "",
};

static void add(char *word, const char *text, size_t length)
{
	const size_t before = strlen(word);
	snprintf(word + before, 64 - before, "%.*s", (int)length, text);
}

/* One word of a command line: mostly plausible, often slightly wrong. */
static void make_word(char word[64])
{
	static const char *const fixed[] = {
		"", "-", "--", "---", "--=", "--=3", "401000", "x.exe", "+", "-W", "-:", "-;", "a",
	};
	static const char letters[] = "abCefijprRsHhVvzu:;=-1";
	unsigned kind = random_below(10);
	*word = '\0';
	if (kind < 3) {
		strcpy(word, fixed[random_below(sizeof fixed / sizeof *fixed)]);
	} else if (kind < 6) {
		strcpy(word, "-");
		for (unsigned n = 1 + random_below(4); n; n--)
			add(word, letters + random_below(sizeof letters - 1), 1);
	} else {
		const char *name = host_options[random_below(sizeof host_options / sizeof *host_options - 1)].name;
		strcpy(word, "--");
		add(word, name, 1 + random_below((unsigned)strlen(name) + 1));
		if (random_below(8) == 0)
			add(word, letters + random_below(sizeof letters - 1), 1);
		if (random_below(3) == 0)
			strcat(word, random_below(3) ? "=value" : "=");
	}
}

/* What one implementation did with a command line, as text. */
struct run {
	char text[LOG_SIZE];
	size_t length;
};

static void record(struct run *r, const char *what, int a, int b, int c, const char *text)
{
	int n = snprintf(r->text + r->length, sizeof r->text - r->length, "%s %d %d %d %s\n", what, a, b, c,
			 text ? text : "(null)");

	if (n > 0 && (size_t)n < sizeof r->text - r->length)
		r->length += (size_t)n;
}

static void finish(struct run *r, int argc, char **argv, const char *operands_name)
{
	for (int i = 0; i < argc; i++)
		record(r, operands_name, i, 0, 0, argv[i]);
}

#define DEFINE_RUN(function, getopt, arg, ind, opt, options) \
	static void function(struct run *r, int argc, char **argv, const char *s) \
	{ \
		r->length = 0; \
		ind = 0; \
		for (int calls = 0; calls < 64; calls++) { \
			int result = getopt(argc, argv, s, options, NULL); \
			/* optopt means something after an error only. */ \
			record(r, "result", result, ind, result == '?' ? opt : 0, arg); \
			if (result == -1) \
				break; \
		} \
		finish(r, argc, argv, "argv"); \
	}

DEFINE_RUN(run_host, getopt_long, optarg, optind, optopt, host_options)
DEFINE_RUN(run_ours, rs_getopt_long, rs_optarg, rs_optind, rs_optopt, our_options)

static bool same_runs(int argc, char words[][64], const char *s)
{
	static struct run host, ours;
	char *host_argv[ARGS_MAX + 2], *our_argv[ARGS_MAX + 2];
	for (int i = 0; i < argc; i++)
		host_argv[i] = our_argv[i] = words[i];
	host_argv[argc] = our_argv[argc] = NULL;
	run_host(&host, argc, host_argv, s);
	run_ours(&ours, argc, our_argv, s);
	if (!strcmp(host.text, ours.text))
		return true;
	diag("option letters \"%s\"", s);
	for (int i = 0; i < argc; i++)
		diag("argv[%d] = \"%s\"", i, words[i]);
	for (char *line = strtok(host.text, "\n"); line; line = strtok(NULL, "\n"))
		diag("glibc: %s", line);
	for (char *line = strtok(ours.text, "\n"); line; line = strtok(NULL, "\n"))
		diag("ours:  %s", line);
	return false;
}

/* Stops at the first difference: the rest would say the same. */
static void compare(const char *name, const char *s, uint32_t seed)
{
	char words[ARGS_MAX + 1][64];
	const unsigned rounds = amount(10000, 2000);
	unsigned round;
	random_start(seed);
	for (round = 0; round < rounds; round++) {
		int argc = 1 + (int)random_below(ARGS_MAX);
		strcpy(words[0], random_below(8) ? "addr2line" : "/usr/bin/a b");
		for (int i = 1; i < argc; i++)
			make_word(words[i]);
		if (!same_runs(argc, words, s))
			break;
	}
	ok(round == rounds, "%s: \"%s\"", name, s);
}

int main(void)
{
	char *nothing[] = { NULL };
	opterr = 0;
	unsetenv("POSIXLY_CORRECT");
	for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
		compare("permuting", shorts[i], (uint32_t)i);
	setenv("POSIXLY_CORRECT", "1", 1);
	for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
		compare("POSIXLY_CORRECT", shorts[i], (uint32_t)(100 + i));
	rs_optind = 0;
	optind = 0;
	is_int(rs_getopt_long(0, nothing, "a", our_options, NULL), getopt_long(0, nothing, "a", host_options, NULL),
	       "no argv[0]");
	return done_testing();
}

#endif
