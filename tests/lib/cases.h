/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cases.h - cases of a test that are rows of a text file, so that a new one needs no code
 *
 *	== section
 *	// comment
 *	input<TAB>what is expected
 *	the first line of an input
 *	the second line of it
 *	<TAB>what is expected
 *
 * A tab ends the input; the newline in front of a tab that begins a line is no part of it.  "-" stands for nothing.  %XX is
 * the byte with that hexadecimal number: %09 a tab, %0a an empty line that follows, %20 a blank at the end of a line, %2f a
 * "/" that begins one, %25 "%".  Lines with nothing in them separate cases.
 *
 *	struct case_file file;
 *	cases_open(&file, "tests/log/unit-log-tokens.cases");
 *	while (cases_next(&file, "tokens"))
 *		is_str(found(file.input), file.expected, "tokens");
 *	cases_close(&file);
 */
#ifndef CASES_H
#define CASES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct case_file {
	const char *path; /* of the sources */
	FILE *file;
	unsigned line;	/* where the case ends that was read last */
	unsigned count; /* cases of the section that is asked for */
	bool inside;	/* this section */
	char input[16384], expected[2048];
};

/* Says what is wrong with the file, and ends the test. */
static inline void cases_refuse(const struct case_file *cases, const char *what)
{
	printf("Bail out! %s:%u: %s\n", cases->path, cases->line, what);
	exit(99);
}

/* Opens the file PATH of the sources. */
static inline void cases_open(struct case_file *cases, const char *path)
{
	const char *srcdir = getenv("srcdir");
	char name[4096];
	snprintf(name, sizeof name, "%s/%s", srcdir ? srcdir : ".", path);
	*cases = (struct case_file){ .path = path, .file = fopen(name, "rb") };
	if (!cases->file)
		cases_refuse(cases, "cannot be opened");
}

static inline void cases_close(struct case_file *cases)
{
	fclose(cases->file);
}

/* The hexadecimal number at the beginning of TEXT. */
static inline uint32_t cases_hex(const char *text)
{
	return (uint32_t)strtoull(text, NULL, 16);
}

static inline unsigned cases_digit(char c)
{
	const char *const digits = "0123456789abcdef", *digit = c ? strchr(digits, c) : NULL;
	return digit ? (unsigned)(digit - digits) : 16;
}

/* Appends the LENGTH bytes at LINE to TEXT, which has room for SIZE, with %XX as bytes. */
static inline void cases_add(const struct case_file *cases, char *text, size_t size, const char *line, size_t length)
{
	size_t n = strlen(text);
	if (length >= size - n)
		cases_refuse(cases, "too long");
	for (size_t i = 0; i < length; i++) {
		const bool escaped = line[i] == '%' && length - i > 2;
		const unsigned high = escaped ? cases_digit(line[i + 1]) : 16,
			       low = escaped ? cases_digit(line[i + 2]) : 16;
		const bool is_byte = high < 16 && low < 16;
		text[n++] = is_byte ? (char)(16 * high + low) : line[i];
		i += is_byte ? 2 : 0;
	}
	text[n] = '\0';
}

/* Cut TEXT, which is of the case, at the first SEPARATOR.  Returns what follows it. */
static inline char *cases_rest(const struct case_file *cases, char *text, const char *separator)
{
	char *at = strstr(text, separator);
	if (!at)
		cases_refuse(cases, "the case has no name");
	*at = '\0';
	return at + strlen(separator);
}

/* Reads the next case of SECTION, which stands in one place.  After the last one it returns false, and another section can be read. */
static inline bool cases_next(struct case_file *cases, const char *section)
{
	char line[4096];
	bool begun = false;
	cases->input[0] = cases->expected[0] = '\0';
	while (fgets(line, sizeof line, cases->file)) {
		size_t length = strcspn(line, "\n"), end = strcspn(line, "\t\n");
		bool heading = strncmp(line, "== ", 3) == 0;
		cases->line++;
		line[length] = '\0';
		if (heading && begun)
			break;
		if (heading)
			cases->inside = strcmp(line + 3, section) == 0;
		if (heading || !cases->inside || length == 0 || strncmp(line, "//", 2) == 0)
			continue;
		if (end > 0 && begun)
			cases_add(cases, cases->input, sizeof cases->input, "\n", 1);
		cases_add(cases, cases->input, sizeof cases->input, line, end);
		begun = true;
		if (end < length) {
			if (strcmp(line + end + 1, "-") != 0)
				cases_add(cases, cases->expected, sizeof cases->expected, line + end + 1,
					  length - end - 1);
			cases->count++;
			return true;
		}
	}
	if (begun || cases->count == 0)
		cases_refuse(cases, begun ? "nothing is expected" : "there is no such section, or no case in it");
	rewind(cases->file);
	cases->line = cases->count = 0;
	cases->inside = false;
	return false;
}

#endif
