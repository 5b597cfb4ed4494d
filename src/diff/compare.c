// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/compare.h"
#include "diff/alike.h"

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

/* Whether ANSWER has something to compare.  A file without a line does not count: BFD guesses it from
   the nearest file symbol. */
static bool is_comparable(const struct diff_focus *focus, const struct diff_answer *answer)
{
	if (answer->count == 0)
		return false;
	const struct diff_frame *frame = &answer->frames[0];
	return (focus->functions && frame->function) || frame->line;
}

/* Returns the class of something that only one side has; 0 if both have it, or neither. */
static unsigned missing_class(bool here, bool there)
{
	return here == there ? 0 : here ? BIT(DIFF_MISSING_THERE) : BIT(DIFF_MISSING_HERE);
}

/* Returns the classes in which two functions differ; 0 if they are the same, or both are unknown. */
static unsigned compare_functions(const struct diff_focus *focus, const char *here, const char *there)
{
	if (!here || !there)
		return missing_class(here, there);
	switch (name_match(here, there, focus->x86_32, focus->demangle)) {
	case NAME_SAME:
		break;
	case NAME_DECORATED:
		return BIT(DIFF_DECORATION);
	case NAME_CUT:
		return BIT(DIFF_CUT);
	case NAME_OTHER:
		return BIT(DIFF_FUNCTION);
	}
	return 0;
}

/* Returns the classes in which the paths of two files differ. */
static unsigned compare_files(const char *here, const char *there)
{
	switch (path_match(here, there)) {
	case PATH_SAME:
		break;
	case PATH_OTHER_ROOT:
		return BIT(DIFF_SOURCE_ROOT);
	case PATH_CUT:
		return BIT(DIFF_CUT);
	case PATH_OTHER_DIRECTORY:
		return BIT(DIFF_PATH);
	case PATH_OTHER_FILE:
		return BIT(DIFF_LINE);
	}
	return 0;
}

/* Returns the classes in which file and line of two frames differ.  A file without a line does not count. */
static unsigned compare_places(const struct diff_frame *here, const struct diff_frame *there)
{
	if (!here->line || !there->line)
		return missing_class(here->line, there->line);
	unsigned file = here->file && there->file ? compare_files(here->file, there->file)
						  : missing_class(here->file, there->file);
	return file | (here->line != there->line ? BIT(DIFF_LINE) : 0);
}

/*
 * Compare HERE with the innermost frame of THERE.  HERE may rightly have the function, or file and line, of an outer
 * frame: ReactOS's rsym writes the outermost function with the innermost line.  So a function, or a file and line, that
 * differs is compared with the outer frames, too; if it equals one of these, the class is DIFF_INLINED.
 */
static unsigned compare_innermost(const struct diff_focus *focus, const struct diff_frame *here,
				  const struct diff_answer *there)
{
	unsigned function = focus->functions ? compare_functions(focus, here->function, there->frames[0].function) : 0;
	unsigned place = compare_places(here, &there->frames[0]);
	for (size_t i = 1; i < there->count && ((function | place) & IS_ANOTHER); i++) {
		unsigned outer;
		if ((function & IS_ANOTHER) && here->function) {
			outer = compare_functions(focus, here->function, there->frames[i].function);
			if (!(outer & (IS_ANOTHER | BIT(DIFF_MISSING_THERE))))
				function = outer | BIT(DIFF_INLINED);
		}
		if ((place & IS_ANOTHER) && here->line) {
			outer = compare_places(here, &there->frames[i]);
			if (!(outer & (IS_ANOTHER | BIT(DIFF_MISSING_THERE))))
				place = outer | BIT(DIFF_INLINED);
		}
	}
	return function | place;
}

/* Compare the outer frames, one by one.  If two are different frames, the class is DIFF_INLINED, not that of a wrong
   function or line, because the innermost frame matters most. */
static unsigned compare_chains(const struct diff_focus *focus, const struct diff_answer *here,
			       const struct diff_answer *there)
{
	if (here->count != there->count)
		return BIT(DIFF_INLINED);
	unsigned classes = 0;
	for (size_t i = 1; i < here->count; i++) {
		const struct diff_frame *a = &here->frames[i], *b = &there->frames[i];
		classes |= focus->functions ? compare_functions(focus, a->function, b->function) : 0;
		classes |= compare_places(a, b);
	}
	return (classes & ~IS_ANOTHER) | (classes & IS_ANOTHER ? BIT(DIFF_INLINED) : 0);
}

unsigned diff_compare(const struct diff_focus *focus, const struct diff_answer *here, const struct diff_answer *there)
{
	bool known_here = is_comparable(focus, here), known_there = is_comparable(focus, there);
	if (!known_here)
		return known_there ? BIT(DIFF_MISSING_HERE) : 0;
	if (!known_there)
		return BIT(DIFF_NOTHING_THERE);
	unsigned classes = compare_innermost(focus, &here->frames[0], there);
	return focus->inlines ? classes | compare_chains(focus, here, there) : classes;
}
