// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/build-name.h"
#include "log/read/chars.h"

#include <stdio.h>
#include <string.h>

enum { DATE_DIGITS = 8, LEAST_COMMIT = 7 }; /* 7: git's shortest abbreviation of a commit */

/* Whether C can be in a version, a build name or a commit.  Brackets end them. */
static bool is_build_name_char(char c)
{
	return c > ' ' && c < 0x7f && !memchr("()[]<>", c, 6);
}

/* Skip WORD at *P.  Returns false if it is not there. */
static bool skip_word_of_name(const char **p, const char *end, const char *word)
{
	size_t length = strlen(word);
	if ((size_t)(end - *p) < length || memcmp(*p, word, length) != 0)
		return false;
	*p += length;
	return true;
}

/* Read the version, build name or commit at *P into TO, of SIZE bytes, and move *P after it.  If it is too long, TO
   becomes "".  Returns false if there is none. */
static bool read_name_part(const char **p, const char *end, char *to, size_t size)
{
	const char *begin = *p;
	while (*p < end && is_build_name_char(**p))
		++*p;
	size_t length = (size_t)(*p - begin);
	if (length > 0 && length < size)
		memcpy(to, begin, length);
	to[length < size ? length : 0] = '\0';
	return length > 0;
}

/* Whether NAME begins with a date, "20260924-".  Without "(Build " before NAME, only a date shows a build name. */
static bool begins_with_date(const char *name)
{
	size_t digits = 0;
	while (is_digit(name[digits]))
		digits++;
	return digits == DATE_DIGITS && name[digits] == '-';
}

/* Read " (Commit 3f5fd48...)" at *P.  If it is malformed, *P stays, and the commit is unknown. */
static void read_commit(const char **p, const char *end, struct build *build)
{
	const char *at = *p;
	size_t digits = 0;
	if (!skip_word_of_name(&at, end, " (Commit ") || !read_name_part(&at, end, build->commit, sizeof build->commit))
		return;
	while (is_hex(build->commit[digits]))
		digits++;
	if (digits >= LEAST_COMMIT && !build->commit[digits] && skip_word_of_name(&at, end, ")"))
		*p = at;
	else
		build->commit[0] = '\0';
}

/* Read the version at *P, then either the build name alone, or "(Build NAME)" and perhaps "(Commit ...)". */
static bool read_build(const char **p, const char *end, struct build *build)
{
	if (*p == end || !is_digit(**p) || !read_name_part(p, end, build->version, sizeof build->version) ||
	    !skip_word_of_name(p, end, " "))
		return false;
	if (!skip_word_of_name(p, end, "(Build "))
		return read_name_part(p, end, build->name, sizeof build->name) && begins_with_date(build->name);
	if (!read_name_part(p, end, build->name, sizeof build->name) || !skip_word_of_name(p, end, ")"))
		return false;
	read_commit(p, end, build);
	return build->name[0] != '\0';
}

/* Returns how many hexadecimal digits TEXT, which ends at END, begins with. */
static size_t count_hex(const char *text, const char *end)
{
	size_t digits = 0;
	while (text + digits < end && is_hex(text[digits]))
		digits++;
	return digits;
}

/* Read the commit from the output of `git describe` at *P: "0.4.15-dev-1397-g19779b3". */
static bool read_git_description(const char **p, const char *end, struct build *build)
{
	const char *at = *p;
	while (at < end && (is_digit(*at) || *at == '.'))
		at++;
	if (!skip_word_of_name(&at, end, "-dev-") && !skip_word_of_name(&at, end, "-release-"))
		return false;
	while (at < end && is_digit(*at))
		at++;
	if (!skip_word_of_name(&at, end, "-g"))
		return false;
	const size_t digits = count_hex(at, end);
	if (digits < LEAST_COMMIT || digits >= sizeof build->commit || (at + digits < end && is_letter(at[digits])))
		return false;
	memcpy(build->commit, at, digits);
	*p = at + digits;
	return true;
}

size_t build_read_name(const char *text, size_t length, struct build *build)
{
	static const struct {
		const char *word;
		bool (*read)(const char **p, const char *end, struct build *build);
	} forms[] = {
		{ "ReactOS ", read_build },
		{ "FreeLdr ", read_build },
		{ "Version ", read_build },
		{ "reactos-bootcd-", read_git_description },
		{ "reactos-livecd-", read_git_description },
	};
	*build = (struct build){ .name = "" };
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const char *p = text;
		if (!skip_word_of_name(&p, text + length, forms[i].word))
			continue;
		if (forms[i].read(&p, text + length, build))
			return (size_t)(p - text);
		*build = (struct build){ .name = "" };
	}
	const char *p = text;
	return length > 0 && is_digit(*text) && read_git_description(&p, text + length, build) ? (size_t)(p - text) : 0;
}

bool build_find_name(const char *text, size_t length, struct build *build)
{
	/* A form that begins with a digit counts only at TEXT itself.  Further on, it may be part of a banner that was
	   cut, maybe inside the commit. */
	for (size_t at = 0; at < length; at++)
		if ((at == 0 || !is_digit(text[at])) && build_read_name(text + at, length - at, build) > 0)
			return true;
	*build = (struct build){ .name = "" };
	return false;
}

const char *build_to_text(const struct build *build, char buffer[BUILD_TEXT])
{
	const char *name = build->name, *commit = build->commit;
	snprintf(buffer, BUILD_TEXT, "%s%s%s%s%s%s%s", build->version, *name ? " (Build " : "", name, *name ? ")" : "",
		 *commit ? " (Commit " : "", commit, *commit ? ")" : "");
	return *buffer == '\0' ? "of an unknown build" : *buffer == ' ' ? buffer + 1 : buffer;
}

/* Whether A and B are both known and differ. */
static bool are_known_and_differ(const char *a, const char *b)
{
	return *a && *b && strcmp(a, b) != 0;
}

/* Whether A and B are different commits.  Either may be shortened, so only the digits that both have are compared. */
static bool are_different_commits(const char *a, const char *b)
{
	while (*a && *b && to_lower(*a) == to_lower(*b))
		a++, b++;
	return *a && *b;
}

const char *build_find_commit(const struct build *build)
{
	const char *end = build->name + strlen(build->name), *at = end;
	if (*build->commit)
		return build->commit;
	while (at > build->name && is_hex(at[-1]))
		at--;
	return end - at >= LEAST_COMMIT && at - build->name >= 2 && memcmp(at - 2, "-g", 2) == 0 ? at : "";
}

enum build_same build_compare(const struct build *a, const struct build *b)
{
	if (!a || !b)
		return BUILD_UNKNOWN;
	const char *ours = build_find_commit(a), *theirs = build_find_commit(b);
	if (are_known_and_differ(a->version, b->version) || are_known_and_differ(a->name, b->name) ||
	    are_different_commits(ours, theirs))
		return BUILD_OTHER;
	return (*a->name && *b->name) || (*ours && *theirs) ? BUILD_SAME : BUILD_UNKNOWN;
}
