/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debugcases.h - cases (cases.h) of what the readers of debug information make of an image: what is checked stands after the tab, with
 * the name of the test, and in front of it an image, or what is expected of the image that was read last:
 *
 *	base 400000			a new image
 *	section .text 1000 100 code	name, RVA, size, code or data
 *	symbol _f 0 1 function external	name, value, section or "absolute", function or "-", external, static or label
 *		image f is read
 *	1000 f :0
 *		rows f has a row
 *
 * Other statements of images: "base BASE wide" is an image for 64 bits, and a size with "calls" behind it is content of nothing but calls.
 * "options decorated data no_inlines wanted=RVA" of debuginfo_options; an image that begins with them is the last one, read again.  "stabs" begins
 * the sections for "stab TYPE DESC VALUE TEXT", where "+RVA" is an address, and "shift N" is added to these from there on; "object" ends what
 * is of one object file; "offset N" changes where the last text is said to be, "half N" appends four bytes.
 *
 * Other checks: "functions", "warnings" (how many), "said" (the warnings), "count" (functions), "length" (of the first one), "without": none of
 * the functions has that text in its line.  Numbers are hexadecimal, but those of warnings, functions and stabs' descriptions.
 */
#ifndef DEBUGCASES_H
#define DEBUGCASES_H

#include "tests/lib/cases.h"
#include "tests/lib/debugpe.h"
#include "tests/lib/tap.h"

struct debugcases {
	struct debugpe m;
	struct debuginfo_options options;
	struct debuginfo di;
	struct bytes *stab, *texts;
	size_t texts_start; /* of this object file */
	uint64_t shift;
	uint32_t wanted;
};

static inline unsigned debugcases_word(const struct case_file *cases, const char *word, const char *const *words)
{
	for (unsigned i = 0; words[i]; i += 2)
		if (strcmp(words[i], word) == 0)
			return (unsigned)strtoul(words[i + 1], NULL, 16);
	cases_refuse(cases, word);
	return 0;
}

static inline void debugcases_stab(struct debugcases *d, const struct case_file *cases, const char *type,
				   const char *value, unsigned description, const char *text)
{
	static const char *const types[] = { "UNDF", "0", "FUN", "24", "SLINE", "44", "SO", "64", "SOL", "84", NULL };
	const uint64_t number = strtoull(value + (*value == '+'), NULL, 16);
	put32(d->stab, text[0] ? (uint32_t)(d->texts->n - d->texts_start) : 0);
	put8(d->stab, debugcases_word(cases, type, types));
	put8(d->stab, 0);
	put16(d->stab, description);
	put32(d->stab, (uint32_t)(*value == '+' ? d->m.base + d->shift + number : number));
	if (text[0])
		put_text(d->texts, text);
}

static inline void debugcases_options(struct debugcases *d, const char *line)
{
	const char *wanted = strstr(line, " wanted=");
	d->options = (struct debuginfo_options){ .decorated = strstr(line, " decorated") != NULL,
						 .data = strstr(line, " data") != NULL,
						 .no_inlines = strstr(line, " no_inlines") != NULL };
	if (wanted) {
		d->wanted = (uint32_t)strtoul(wanted + 8, NULL, 16);
		d->options.wanted = &d->wanted;
		d->options.wanted_count = 1;
	}
}

static inline void debugcases_statement(struct debugcases *d, const struct case_file *cases, const char *line)
{
	static const char *const kinds[] = { "-",      "0", "function", "20", "external", "2",
					     "static", "3", "label",	"6",  NULL };
	static const char *const flags[] = { "code", "60000020", "data", "40000040", NULL };
	char verb[16] = "", a[64] = "", b[32] = "", c[32] = "", e[32] = "", f[32] = "";
	int text = 0;
	sscanf(line, "%15s %63s %31s %31s %n%31s %31s", verb, a, b, c, &text, e, f);
	const uint32_t number = (uint32_t)strtoull(a, NULL, 16);
	if (strcmp(verb, "base") == 0) {
		debugpe_start(&d->m, strtoull(a, NULL, 16));
		d->m.wide = strcmp(b, "wide") == 0;
		d->shift = 0;
		debugcases_options(d, "");
	} else if (strcmp(verb, "section") == 0) {
		struct bytes *content = debugpe_section(&d->m, a, (uint32_t)strtoul(b, NULL, 16),
							(uint32_t)strtoul(c, NULL, 16),
							debugcases_word(cases, e, flags));
		while (f[0] && content->n < strtoul(c, NULL, 16))
			put16(content, 0xd0ff); /* call *%eax */
	} else if (strcmp(verb, "symbol") == 0) {
		debugpe_symbol(&d->m, a, (uint32_t)strtoul(b, NULL, 16),
			       strcmp(c, "absolute") == 0 ? 0xffff : (unsigned)strtoul(c, NULL, 16),
			       debugcases_word(cases, e, kinds), debugcases_word(cases, f, kinds));
	} else if (strcmp(verb, "options") == 0) {
		debugcases_options(d, line);
	} else if (strcmp(verb, "stabs") == 0) {
		d->stab = debugpe_content(&d->m, ".stab", 0x8000);
		d->texts = debugpe_content(&d->m, ".stabstr", 0x9000);
		put8(d->texts, 0);
		d->texts_start = 0;
	} else if (strcmp(verb, "shift") == 0) {
		d->shift = strtoull(a, NULL, 16);
	} else if (strcmp(verb, "stab") == 0) {
		debugcases_stab(d, cases, a, c, (unsigned)strtoul(b, NULL, 10), text ? line + text : "");
	} else if (strcmp(verb, "object") == 0) {
		set32(d->stab, 8, (uint32_t)d->texts->n); /* how many bytes of strings this one has */
		d->texts_start = d->texts->n;
		put8(d->texts, 0);
	} else if (strcmp(verb, "offset") == 0) {
		set32(d->stab, d->stab->n - 12, number);
	} else if (strcmp(verb, "half") == 0) {
		put32(d->stab, number);
	} else {
		cases_refuse(cases, line);
	}
}

/* TEXT, which ends with a newline, without it. */
static inline const char *debugcases_trimmed(const char *text)
{
	static char trimmed[16384];
	snprintf(trimmed, sizeof trimmed, "%s", text);
	if (trimmed[0])
		trimmed[strlen(trimmed) - 1] = '\0';
	return trimmed;
}

static inline void debugcases_check(struct debugcases *d, struct case_file *cases)
{
	const char *name = strchr(cases->expected, ' '), *kind = cases->expected;
	const size_t n = name ? (size_t)(name++ - kind) : 0;
	if (strncmp(kind, "image", n) == 0) {
		if (d->di.draft)
			draft_free(&d->di);
		for (char *line = strtok(cases->input, "\n"); line; line = strtok(NULL, "\n"))
			debugcases_statement(d, cases, line);
		d->m.warning_count = 0;
		d->m.warnings[0] = '\0';
		ok(debugpe_read(&d->m, &d->options, &d->di) == 0, "%s", name);
	} else if (strncmp(kind, "said", n) == 0) {
		is_str(debugcases_trimmed(d->m.warnings), cases->input, name);
	} else if (strncmp(kind, "warnings", n) == 0) {
		is_uint(d->m.warning_count, strtoul(cases->input, NULL, 10), name);
	} else if (strncmp(kind, "count", n) == 0) {
		is_uint(d->di.draft->function_count, strtoul(cases->input, NULL, 10), name);
	} else if (strncmp(kind, "length", n) == 0) {
		is_uint(d->di.draft->functions[0].length, strtoul(cases->input, NULL, 16), name);
	} else if (strncmp(kind, "without", n) == 0) {
		ok(!strstr(debugpe_functions(&d->di), cases->input), "%s", name);
	} else if (strncmp(kind, "rows", n) == 0) {
		is_str(debugcases_trimmed(debugpe_rows(&d->di)), cases->input, name);
	} else if (strncmp(kind, "functions", n) == 0) {
		is_str(debugcases_trimmed(debugpe_functions(&d->di)), cases->input, name);
	} else {
		cases_refuse(cases, "what is checked?");
	}
}

/* All cases of section SECTION of the file PATH.  Returns the status of the test. */
static inline int debugcases_run(const char *path, const char *section)
{
	static struct debugcases d;
	static struct case_file cases;
	cases_open(&cases, path);
	while (cases_next(&cases, section))
		debugcases_check(&d, &cases);
	cases_close(&cases);
	if (d.di.draft)
		draft_free(&d.di);
	return done_testing();
}

#endif
