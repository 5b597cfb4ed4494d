// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/names.h"
#include "tool/demangle.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Longer strings overrun the kernel debugger, so tables have them cut. */
enum { LONGEST_IN_TABLE = 255 };

/* -------------------------------------------------------------------------------------------- functions */

/* A name without what calling conventions and compilers put around it: [begin, begin + length). */
struct core {
	const char *begin;
	size_t length;
};

static struct core core_of(const char *name)
{
	struct core core = { name, strlen(name) };
	size_t digits = 0;
	while (digits < core.length && isdigit((unsigned char)name[core.length - 1 - digits]))
		digits++;
	if (digits > 0 && digits + 1 < core.length && name[core.length - 1 - digits] == '@') {
		core.length -= digits + 1;
		if (core.begin[0] == '@') {
			core.begin++;
			core.length--;
		}
	}
	/* ".part.0", ".constprop.0", ".cold": pieces that the compiler has cut out of a function. */
	const char *dot = core.length > 1 ? memchr(core.begin + 1, '.', core.length - 1) : NULL;
	if (dot)
		core.length = (size_t)(dot - core.begin);
	return core;
}

static bool same_core(struct core a, struct core b)
{
	return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

static bool same_but_underscore(struct core a, struct core b)
{
	return a.length == b.length + 1 && a.begin[0] == '_' && memcmp(a.begin + 1, b.begin, b.length) == 0;
}

/* The demangled core, without its parameters; NULL if it is not mangled. */
static char *plain_name(struct core core)
{
	char *mangled = malloc(core.length + 1);
	if (!mangled)
		return NULL;
	memcpy(mangled, core.begin, core.length);
	mangled[core.length] = '\0';
	char *plain = demangle(mangled, false);
	free(mangled);
	if (!plain)
		return NULL;
	int depth = 0;
	for (char *p = plain; *p; p++) {
		if (strncmp(p, "operator", 8) == 0) {
			/* What follows is a name, whatever characters it has. */
			p += 8;
			p += strncmp(p, "()", 2) == 0 ? 2 : strspn(p, "<>");
			if (*p == '\0')
				break;
		}
		depth += (*p == '<') - (*p == '>');
		if (*p == '(' && depth == 0 && strncmp(p, "(anonymous namespace)", 21) != 0) {
			*p = '\0';
			break;
		}
	}
	return plain;
}

/* Whether NAME is PLAIN, perhaps without its namespace or the type it returns. */
static bool is_end_of(const char *name, const char *plain)
{
	size_t length = strlen(name), whole = strlen(plain);
	if (length == 0 || length > whole || strcmp(plain + whole - length, name) != 0)
		return false;
	char before = whole > length ? plain[whole - length - 1] : ' ';
	return before == ' ' || (before == ':' && length + 2 <= whole);
}

static bool is_half_demangled(struct core mangled, struct core other)
{
	/* Demangling costs far more than to see that there is nothing to demangle. */
	if (mangled.length < 3 || (memcmp(mangled.begin, "_Z", 2) != 0 && memcmp(mangled.begin, "__Z", 3) != 0))
		return false;
	char *plain = plain_name(mangled), *name = malloc(other.length + 1);
	bool same = false;
	if (plain && name) {
		memcpy(name, other.begin, other.length);
		name[other.length] = '\0';
		same = is_end_of(name, plain);
	}
	free(plain);
	free(name);
	return same;
}

static bool same_demangled(const char *a, const char *b)
{
	char *x = demangle(a, false), *y = demangle(b, false);
	bool same = strcmp(x ? x : a, y ? y : b) == 0;
	free(x);
	free(y);
	return same;
}

enum name_match name_match(const char *a, const char *b, bool x86_32, bool shown)
{
	if (strcmp(a, b) == 0)
		return NAME_SAME;
	if (shown && same_demangled(a, b))
		return NAME_SAME;
	struct core x = core_of(a), y = core_of(b);
	bool other_form = same_core(x, y) || (x86_32 && (same_but_underscore(x, y) || same_but_underscore(y, x))) ||
			  is_half_demangled(x, y) || is_half_demangled(y, x);
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length > LONGEST_IN_TABLE || b_length <= LONGEST_IN_TABLE)
		return other_form ? NAME_DECORATED : NAME_OTHER;
	bool beginning = a_length == LONGEST_IN_TABLE && strncmp(a, b, LONGEST_IN_TABLE) == 0;
	return other_form || beginning ? NAME_CUT : NAME_OTHER;
}

/* ------------------------------------------------------------------------------------------------ files */

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* The parts of a path, read from its end: "." and empty ones left out, a part before ".." too. */
struct parts {
	const char *begin, *end;
};

static bool last_part(struct parts *path, struct core *part)
{
	size_t up = 0;
	for (;;) {
		while (path->end > path->begin && is_slash(path->end[-1]))
			path->end--;
		const char *end = path->end, *p = end;
		while (p > path->begin && !is_slash(p[-1]))
			p--;
		if (p == end)
			return false;
		*part = (struct core){ p, (size_t)(end - p) };
		path->end = p;
		if (part->length == 1 && p[0] == '.')
			continue;
		if (part->length == 2 && p[0] == '.' && p[1] == '.') {
			up++;
			continue;
		}
		if (up == 0)
			return true;
		up--;
	}
}

enum path_match path_match(const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return PATH_SAME;
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length == LONGEST_IN_TABLE && b_length > a_length && strcmp(a, b + (b_length - a_length)) == 0)
		return PATH_CUT;
	struct parts x = { a, a + a_length }, y = { b, b + b_length };
	struct core p, q;
	size_t same = 0;
	bool more_x, more_y;
	for (;; same++) {
		more_x = last_part(&x, &p);
		more_y = last_part(&y, &q);
		if (!more_x || !more_y || !same_core(p, q))
			break;
	}
	if (same == 0)
		return PATH_OTHER_FILE;
	if (!more_x || !more_y)
		return PATH_OTHER_ROOT;
	/* A path that was cut in front may have lost half of a part. */
	if (a_length == LONGEST_IN_TABLE && p.begin == a && p.length < q.length &&
	    memcmp(q.begin + (q.length - p.length), p.begin, p.length) == 0)
		return PATH_OTHER_ROOT;
	return PATH_OTHER_DIRECTORY;
}
