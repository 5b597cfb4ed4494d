// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/alike.h"
#include "tool/demangle.h"
#include "tool/strbuf.h"
#include "compat/decoration.h"

#include <stdlib.h>
#include <string.h>

/* Tables cut strings that have more bytes than this, because ReactOS's kernel debugger has a buffer of 256. */
enum { TABLE_STRING_LENGTH_MAX = 255 };

/* -------------------------------------------------------------------------------------------- functions */

/* A part of a name or a path, without a NUL. */
struct part {
	const char *begin;
	size_t length;
};

/* Returns NAME without what a calling convention adds ("@8" or "@@8" at the end; if there is one, also "@" at the
   beginning), and without a dot and what a compiler adds after it. */
static struct part strip_decoration(const char *name)
{
	struct part part = { name, strlen(name) };
	const size_t decoration = decoration_length(name, part.length);
	part.length -= decoration;
	if (decoration > 0 && name[0] == '@') {
		part.begin++;
		part.length--;
	}
	/* ".part.0", ".constprop.0", ".cold": pieces and copies that a compiler makes of a function. */
	const char *dot = part.length > 1 ? memchr(part.begin + 1, '.', part.length - 1) : NULL;
	if (dot)
		part.length = (size_t)(dot - part.begin);
	return part;
}

static bool is_same_part(struct part a, struct part b)
{
	return a.length == b.length && memcmp(a.begin, b.begin, a.length) == 0;
}

/* Whether A is B with one more underscore, as COFF names on i386 have. */
static bool has_extra_underscore(struct part a, struct part b)
{
	return a.length == b.length + 1 && a.begin[0] == '_' && memcmp(a.begin + 1, b.begin, b.length) == 0;
}

/* Returns the demangled form of PART without parameters, which the caller frees; NULL if PART is not mangled. */
static char *demangle_without_parameters(struct part part)
{
	char *mangled = copy_text(part.begin, part.length);
	char *plain = mangled ? demangle(mangled, false) : NULL;
	free(mangled);
	if (!plain)
		return NULL;
	int depth = 0;
	for (char *p = plain; *p; p++) {
		if (strncmp(p, "operator", 8) == 0) {
			/* Parentheses and angle brackets after "operator" belong to the name. */
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

/* Whether NAME is PLAIN, or PLAIN without its namespace or its return type. */
static bool is_unqualified_form(const char *name, const char *plain)
{
	size_t length = strlen(name), whole = strlen(plain);
	if (length == 0 || length > whole || strcmp(plain + whole - length, name) != 0)
		return false;
	char before = whole > length ? plain[whole - length - 1] : ' ';
	return before == ' ' || (before == ':' && length + 2 <= whole);
}

/* Whether OTHER is the demangled form of MANGLED without parameters, and perhaps without the namespace. */
static bool is_half_demangled(struct part mangled, struct part other)
{
	/* Demangling is slow, and most names are not mangled: test for the prefix first. */
	if (mangled.length < 3 || (memcmp(mangled.begin, "_Z", 2) != 0 && memcmp(mangled.begin, "__Z", 3) != 0))
		return false;
	char *plain = demangle_without_parameters(mangled), *name = copy_text(other.begin, other.length);
	bool same = plain && name && is_unqualified_form(name, plain);
	free(plain);
	free(name);
	return same;
}

static bool have_same_demangled_form(const char *a, const char *b)
{
	char *x = demangle(a, false), *y = demangle(b, false);
	bool same = strcmp(x ? x : a, y ? y : b) == 0;
	free(x);
	free(y);
	return same;
}

/* Whether WHOLE is NAME with parameters, as LLVM prints the names of a PDB file's public symbols. */
static bool is_with_parameters(const char *name, const char *whole)
{
	size_t length = strlen(name);
	return length > 0 && strncmp(name, whole, length) == 0 && whole[length] == '(';
}

enum name_match name_match(const char *a, const char *b, bool x86_32, bool demangled)
{
	if (strcmp(a, b) == 0)
		return NAME_SAME;
	if (demangled && have_same_demangled_form(a, b))
		return NAME_SAME;
	struct part x = strip_decoration(a), y = strip_decoration(b);
	bool other_form = is_same_part(x, y) ||
			  (x86_32 && (has_extra_underscore(x, y) || has_extra_underscore(y, x))) ||
			  is_half_demangled(x, y) || is_half_demangled(y, x) || is_with_parameters(a, b);
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length > TABLE_STRING_LENGTH_MAX || b_length <= TABLE_STRING_LENGTH_MAX)
		return other_form ? NAME_DECORATED : NAME_OTHER;
	bool beginning = a_length == TABLE_STRING_LENGTH_MAX && strncmp(a, b, TABLE_STRING_LENGTH_MAX) == 0;
	return other_form || beginning ? NAME_CUT : NAME_OTHER;
}

/* ------------------------------------------------------------------------------------------------ files */

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* The rest of a path whose parts are read from its end. */
struct path_end {
	const char *begin, *end;
};

/* Remove the last part from the path, and store it in *PART; false if there is none.  Skips ".", empty parts, and ".."
   together with the part before it. */
static bool pop_part(struct path_end *path, struct part *part)
{
	size_t up = 0; /* how many parts must still be skipped, each because of a ".." after it */
	for (;;) {
		while (path->end > path->begin && is_slash(path->end[-1]))
			path->end--;
		const char *end = path->end, *p = end;
		while (p > path->begin && !is_slash(p[-1]))
			p--;
		if (p == end)
			return false;
		*part = (struct part){ p, (size_t)(end - p) };
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

/* Compare from the end: paths of the same file can have different roots, but their last parts are the same. */
enum path_match path_match(const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return PATH_SAME;
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length == TABLE_STRING_LENGTH_MAX && b_length > a_length && strcmp(a, b + (b_length - a_length)) == 0)
		return PATH_CUT;
	struct path_end x = { a, a + a_length }, y = { b, b + b_length };
	struct part p, q;
	size_t same = 0;
	bool more_x, more_y;
	for (;; same++) {
		more_x = pop_part(&x, &p);
		more_y = pop_part(&y, &q);
		if (!more_x || !more_y || !is_same_part(p, q))
			break;
	}
	if (same == 0)
		return PATH_OTHER_FILE;
	if (!more_x || !more_y)
		return PATH_OTHER_ROOT;
	/* Paths in tables are cut at their beginning, perhaps in the middle of a part. */
	if (a_length == TABLE_STRING_LENGTH_MAX && p.begin == a && p.length < q.length &&
	    memcmp(q.begin + (q.length - p.length), p.begin, p.length) == 0)
		return PATH_OTHER_ROOT;
	return PATH_OTHER_DIRECTORY;
}
