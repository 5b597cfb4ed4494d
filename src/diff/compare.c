// SPDX-License-Identifier: GPL-2.0-or-later
/* compare.c - finds the classes in which two answers differ (diff.h) */
#include "config.h"
#include "diff/diff.h"
#include "tool/ascii.h"
#include "tool/demangle.h"
#include "tool/strbuf.h"
#include "compat/decoration.h"

#include <stdlib.h>
#include <string.h>

const char *const diff_class_names[DIFF_CLASSES] = {
	[DIFF_FUNCTION] = "function",
	[DIFF_DECORATION] = "decoration",
	[DIFF_LINE] = "line",
	[DIFF_PATH] = "path",
	[DIFF_SOURCE_ROOT] = "source-root",
	[DIFF_CUT] = "cut",
	[DIFF_INLINED] = "inlined",
	[DIFF_MISSING_HERE] = "missing-here",
	[DIFF_MISSING_THERE] = "missing-there",
	[DIFF_NOTHING_THERE] = "nothing-there",
	[DIFF_END] = "end",
};

#define BIT DIFF_BIT

/* Two frames with one of these differences are different frames, not two forms of one frame. */
#define IS_ANOTHER (BIT(DIFF_FUNCTION) | BIT(DIFF_LINE) | BIT(DIFF_PATH))

/* Tables cut strings that have more bytes than this, because ReactOS's kernel debugger has a buffer of 256. */
enum { TABLE_STRING_LENGTH_MAX = 255 };

/* Returns the class for something that only one answer has; 0 if both answers have it, or neither. */
static unsigned classify_missing(bool here, bool there)
{
	return here == there ? 0 : here ? BIT(DIFF_MISSING_THERE) : BIT(DIFF_MISSING_HERE);
}

/* -------------------------------------------------------------------------------------------- functions */

/* A part of a name or a path, without a NUL. */
struct part {
	const char *begin;
	size_t length;
};

/* Returns NAME without the decoration of a calling convention ("@8" or "@@8" at the end, and in that case also "@" at
   the beginning), and without the suffix that a compiler adds after a dot. */
static struct part strip_decoration(const char *name)
{
	struct part part = { name, strlen(name) };
	const size_t decoration = decoration_length(name, part.length);
	part.length -= decoration;
	if (decoration > 0 && name[0] == '@') {
		part.begin++;
		part.length--;
	}
	/* Remove ".part.0", ".constprop.0" or ".cold", which a compiler adds for parts and copies of a function. */
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

/* Whether NAME is PLAIN, or PLAIN without its namespace or return type. */
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
	/* Demangling is slow, and most names are not mangled, so test for the prefix first. */
	if (mangled.length < 3 || (memcmp(mangled.begin, "_Z", 2) != 0 && memcmp(mangled.begin, "__Z", 3) != 0))
		return false;
	char *symbol = copy_text(mangled.begin, mangled.length), *name = copy_text(other.begin, other.length);
	char *plain = symbol ? demangle_without_parameters(symbol) : NULL;
	bool same = plain && name && is_unqualified_form(name, plain);
	free(symbol);
	free(name);
	free(plain);
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
static bool has_parameters_added(const char *name, const char *whole)
{
	size_t length = strlen(name);
	return length > 0 && strncmp(name, whole, length) == 0 && whole[length] == '(';
}

/* Returns the classes in which two functions differ; 0 if they are the same, or both are unknown. */
static unsigned compare_functions(const struct diff *diff, const char *here, const char *there)
{
	if (!diff->style->functions || !here || !there)
		return diff->style->functions ? classify_missing(here, there) : 0;
	if (strcmp(here, there) == 0 || (diff->style->demangle && have_same_demangled_form(here, there)))
		return 0;
	struct part x = strip_decoration(here), y = strip_decoration(there);
	bool other_form = is_same_part(x, y) ||
			  (diff->info.machine == DIFF_I386 &&
			   (has_extra_underscore(x, y) || has_extra_underscore(y, x))) ||
			  is_half_demangled(x, y) || is_half_demangled(y, x) || has_parameters_added(here, there);
	size_t length = strlen(here);
	if (length > TABLE_STRING_LENGTH_MAX || strlen(there) <= TABLE_STRING_LENGTH_MAX)
		return other_form ? BIT(DIFF_DECORATION) : BIT(DIFF_FUNCTION);
	bool beginning = length == TABLE_STRING_LENGTH_MAX && strncmp(here, there, length) == 0;
	return other_form || beginning ? BIT(DIFF_CUT) : BIT(DIFF_FUNCTION);
}

/* ------------------------------------------------------------------------------------------------ files */

/* What is left of a path, whose parts are removed one by one from its end. */
struct path_end {
	const char *begin, *end;
};

/* Remove the last part from the path, and store it in *PART; false if there is none.  Skips ".", empty parts, and ".."
   together with the part before it. */
static bool pop_last_part(struct path_end *path, struct part *part)
{
	size_t up = 0; /* how many parts must still be skipped, each because of a ".." after it */
	for (;;) {
		while (path->end > path->begin && is_separator(path->end[-1]))
			path->end--;
		const char *end = path->end, *p = end;
		while (p > path->begin && !is_separator(p[-1]))
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

/* Returns the classes in which A, the table's path of a file, and B, the reference's, differ.  Compares from the end:
   paths of the same file can have different roots, but their last parts are the same. */
static unsigned compare_files(const char *a, const char *b)
{
	if (!a || !b)
		return classify_missing(a, b);
	if (strcmp(a, b) == 0)
		return 0;
	size_t a_length = strlen(a), b_length = strlen(b);
	if (a_length == TABLE_STRING_LENGTH_MAX && b_length > a_length && strcmp(a, b + (b_length - a_length)) == 0)
		return BIT(DIFF_CUT);
	struct path_end x = { a, a + a_length }, y = { b, b + b_length };
	struct part p, q;
	size_t same = 0;
	bool more_x, more_y;
	for (;; same++) {
		more_x = pop_last_part(&x, &p);
		more_y = pop_last_part(&y, &q);
		if (!more_x || !more_y || !is_same_part(p, q))
			break;
	}
	if (same == 0)
		return BIT(DIFF_LINE);
	/* Paths in tables are cut at their beginning, perhaps in the middle of a part. */
	bool other_root = !more_x || !more_y ||
			  (a_length == TABLE_STRING_LENGTH_MAX && p.begin == a && p.length < q.length &&
			   memcmp(q.begin + (q.length - p.length), p.begin, p.length) == 0);
	return other_root ? BIT(DIFF_SOURCE_ROOT) : BIT(DIFF_PATH);
}

/* ---------------------------------------------------------------------------------------------- answers */

/* Whether ANSWER has a function, if functions are compared, or a line.  A file without a line does not count, because
   BFD guesses it from the nearest file symbol. */
static bool is_comparable(const struct diff *diff, const struct diff_answer *answer)
{
	if (answer->count == 0)
		return false;
	const struct rossym_frame *frame = &answer->frames[0];
	return (diff->style->functions && frame->function) || frame->line;
}

/* Returns the classes in which file and line of two frames differ.  A file without a line does not count. */
static unsigned compare_places(const struct rossym_frame *here, const struct rossym_frame *there)
{
	if (!here->line || !there->line)
		return classify_missing(here->line, there->line);
	return compare_files(here->file, there->file) | (here->line != there->line ? BIT(DIFF_LINE) : 0);
}

/*
 * Returns the classes in which HERE differs from the innermost frame of THERE.  HERE may rightly have the function, or
 * file and line, of an outer frame: ReactOS's rsym writes the outermost function with the innermost line.  So what
 * differs is compared with the outer frames of THERE, too; if one of these has it, the class is DIFF_INLINED.
 */
static unsigned compare_innermost(const struct diff *diff, const struct rossym_frame *here,
				  const struct diff_answer *there)
{
	const unsigned no_match = IS_ANOTHER | BIT(DIFF_MISSING_THERE);
	unsigned function = compare_functions(diff, here->function, there->frames[0].function);
	unsigned place = compare_places(here, &there->frames[0]);
	for (size_t i = 1; i < there->count && ((function | place) & IS_ANOTHER); i++) {
		unsigned outer = compare_functions(diff, here->function, there->frames[i].function);
		if ((function & IS_ANOTHER) && !(outer & no_match))
			function = outer | BIT(DIFF_INLINED);
		outer = compare_places(here, &there->frames[i]);
		if ((place & IS_ANOTHER) && !(outer & no_match))
			place = outer | BIT(DIFF_INLINED);
	}
	return function | place;
}

/* Returns the classes in which the outer frames differ, one by one.  If two are different frames, the class is
   DIFF_INLINED, not that of a wrong function or line, because the innermost frame matters most. */
static unsigned compare_chains(const struct diff *diff, const struct diff_answer *here, const struct diff_answer *there)
{
	unsigned classes = here->count != there->count ? BIT(DIFF_INLINED) : 0;
	for (size_t i = 1; i < here->count && here->count == there->count; i++) {
		const struct rossym_frame *a = &here->frames[i], *b = &there->frames[i];
		classes |= compare_functions(diff, a->function, b->function) | compare_places(a, b);
	}
	return (classes & ~IS_ANOTHER) | (classes & IS_ANOTHER ? BIT(DIFF_INLINED) : 0);
}

unsigned diff_compare_answers(const struct diff *diff, const struct diff_answer *here, const struct diff_answer *there)
{
	bool known_here = is_comparable(diff, here), known_there = is_comparable(diff, there);
	if (!known_here)
		return known_there ? BIT(DIFF_MISSING_HERE) : 0;
	if (!known_there)
		return BIT(DIFF_NOTHING_THERE);
	unsigned classes = compare_innermost(diff, &here->frames[0], there);
	return diff->inlines ? classes | compare_chains(diff, here, there) : classes;
}
