// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/build.h"
#include "log/chars.h"

#include <stdio.h>
#include <string.h>

enum { DATE_DIGITS = 8, LEAST_COMMIT = 7 };

/* Whether C can be in a version, a build name or a commit.  Brackets end them. */
static bool is_part(char c)
{
	return c > ' ' && c < 0x7f && !memchr("()[]<>", c, 6);
}

/* Skip WORD at *P.  False: it is not there. */
static bool skip(const char **p, const char *end, const char *word)
{
	size_t length = strlen(word);
	if ((size_t)(end - *p) < length || memcmp(*p, word, length) != 0)
		return false;
	*p += length;
	return true;
}

/* Read the part at *P into TO, which has SIZE bytes.  A part that is too long is skipped, and TO is "".  False: there is none. */
static bool read_part(const char **p, const char *end, char *to, size_t size)
{
	const char *begin = *p;
	while (*p < end && is_part(**p))
		++*p;
	size_t length = (size_t)(*p - begin);
	if (length > 0 && length < size)
		memcpy(to, begin, length);
	to[length < size ? length : 0] = '\0';
	return length > 0;
}

/* Whether NAME begins with a day.  That tells a build name that is not in parentheses from other words. */
static bool is_dated(const char *name)
{
	size_t digits = 0;
	while (is_digit(name[digits]))
		digits++;
	return digits == DATE_DIGITS && name[digits] == '-';
}

/* Read the commit at *P, with its parentheses.  If it is malformed, *P stays. */
static void read_commit(const char **p, const char *end, struct build *build)
{
	const char *at = *p;
	size_t digits = 0;
	if (!skip(&at, end, " (Commit ") || !read_part(&at, end, build->commit, sizeof build->commit))
		return;
	while (is_hex(build->commit[digits]))
		digits++;
	if (digits >= LEAST_COMMIT && !build->commit[digits] && skip(&at, end, ")"))
		*p = at;
	else
		build->commit[0] = '\0';
}

/* Read what follows "ReactOS " at *P: the version, and the build name with "(Build " or without. */
static bool read_build(const char **p, const char *end, struct build *build)
{
	if (*p == end || !is_digit(**p) || !read_part(p, end, build->version, sizeof build->version) || !skip(p, end, " "))
		return false;
	if (!skip(p, end, "(Build "))
		return read_part(p, end, build->name, sizeof build->name) && is_dated(build->name);
	if (!read_part(p, end, build->name, sizeof build->name) || !skip(p, end, ")"))
		return false;
	read_commit(p, end, build);
	return build->name[0] != '\0';
}

size_t build_read(const char *text, size_t length, struct build *build)
{
	static const char *const words[] = { "ReactOS ", "FreeLdr ", "Version " };
	*build = (struct build){ .name = "" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const char *p = text;
		if (!skip(&p, text + length, words[i]))
			continue;
		if (read_build(&p, text + length, build))
			return (size_t)(p - text);
		*build = (struct build){ .name = "" };
	}
	return 0;
}

bool build_parse(const char *text, size_t length, struct build *build)
{
	for (size_t at = 0; at < length; at++)
		if (build_read(text + at, length - at, build) > 0)
			return true;
	*build = (struct build){ .name = "" };
	return false;
}

const char *build_text(const struct build *build, char buffer[BUILD_TEXT])
{
	const char *name = build->name, *commit = build->commit;
	snprintf(buffer, BUILD_TEXT, "%s%s%s%s%s%s%s", build->version, *name ? " (Build " : "", name, *name ? ")" : "",
		 *commit ? " (Commit " : "", commit, *commit ? ")" : "");
	return *buffer == '\0' ? "of an unknown build" : *buffer == ' ' ? buffer + 1 : buffer;
}

static bool differ(const char *a, const char *b)
{
	return *a && *b && strcmp(a, b) != 0;
}

/* Whether A and B are different commits.  Either may be shortened, so only the digits that both have are compared. */
static bool commits_differ(const char *a, const char *b)
{
	while (*a && *b && to_lower(*a) == to_lower(*b))
		a++, b++;
	return *a && *b;
}

enum build_same build_compare(const struct build *a, const struct build *b)
{
	if (!a || !b)
		return BUILD_UNKNOWN;
	if (differ(a->version, b->version) || differ(a->name, b->name) || commits_differ(a->commit, b->commit))
		return BUILD_OTHER;
	return (*a->name && *b->name) || (*a->commit && *b->commit) ? BUILD_SAME : BUILD_UNKNOWN;
}
