/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demangle.h - demangles names of C++ and other languages; the only user of libiberty */
#ifndef TOOL_DEMANGLE_H
#define TOOL_DEMANGLE_H

#include <stdbool.h>

/* Whether this program was built with a demangler. */
extern const bool demangle_available;

/* Choose the style of mangling that GNU's --demangle=NAME chooses.  Returns false if no style has this name.  A program
   that was built without a demangler knows the names, too. */
bool demangle_set_style(const char *name);

/* Demangle NAME.  Returns a string that the caller frees; NULL if NAME is not mangled, if it or its result is too
   long, or if demangling would take too long.  The decoration of a calling convention, from the first "@" on, stays.
   DEEP: switch off libiberty's limit of recursion (GNU's --no-recurse-limit); the limit of the name's length stays. */
char *demangle(const char *name, bool deep);

/* As demangle(), but returns only the name that the function has in its class or namespace, as DW_AT_name of debug
   information has it: "get<int>" for _ZN2io3Irp3getIiEET_S2_. */
char *demangle_to_base_name(const char *name, bool deep);

/* Quick tests that save most calls of demangle().  demangle_may_change_all(): whether in the chosen style a mangled
   name can begin with any character.  demangle_may_change(): whether in the other styles it can begin with LETTER. */
bool demangle_may_change_all(void);

static inline bool demangle_may_change(char letter)
{
	/* C++ and Rust names begin with an underscore, perhaps after the "." and "$" that demangle()
	   leaves as they are. */
	return letter == '_' || letter == '.' || letter == '$';
}

/* Returns the demangled NAME without the parameters of the function, which the caller frees; NULL if NAME is not
   mangled, if the result is longer than a string of a .rossym table may be, or if demangling would take too long. */
char *demangle_without_parameters(const char *name);

/* Whether a name was left mangled because of the limit for the work on all names together. */
bool demangle_gave_up(void);

/* Warn if demangle_gave_up().  Programs that print demangled names call this at their end. */
void demangle_warn_if_gave_up(void);

#endif
