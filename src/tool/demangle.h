/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demangle.h - names of C++ and other languages as people write them; the only user of libiberty */
#ifndef TOOL_DEMANGLE_H
#define TOOL_DEMANGLE_H

#include <stdbool.h>

/* Whether this program has a demangler at all. */
extern const bool demangle_available;

/* Choose a style by its name in GNU's --demangle.  False: there is none of that name.  This works without a
   demangler too. */
bool demangle_set_style(const char *name);

/* Demangle NAME.  Returns a string on the heap; NULL if NAME is not mangled, if it or its result is too long, or if
   demangling would take too long.  A decoration of the calling convention, from the first "@" on, is kept.  NO_LIMIT:
   let the demangler recurse as deep as a name of that length can make it. */
char *demangle(const char *name, bool no_limit);

/* Whether demangle() may change a name that begins with LETTER, or with any letter: tests that cost next to nothing. */
bool demangle_may_change_all(void);

static inline bool demangle_may_change(char letter)
{
	/* C++ and Rust names begin with an underscore, perhaps after what demangle() keeps before a name. */
	return letter == '_' || letter == '.' || letter == '$';
}

/* The demangled NAME without the parameters of the function, on the heap; NULL if that does not fit into a table. */
char *demangle_short(const char *name);

/* Forget what names have cost so far.  For a program that does several tasks, the results of which must not depend on
   each other. */
void demangle_begin_again(void);

/* Whether names were not demangled because all names of the run together would have cost too much. */
bool demangle_gave_up(void);

/* Warn if demangle_gave_up().  Programs that print demangled names call this at their end. */
void demangle_end(void);

#endif
