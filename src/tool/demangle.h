/* SPDX-License-Identifier: GPL-2.0-or-later */
/* demangle.h - C++ names as people write them; the only user of libiberty */
#ifndef TOOL_DEMANGLE_H
#define TOOL_DEMANGLE_H

#include <stdbool.h>

/* Whether this program has a demangler at all. */
extern const bool demangle_available;

/* Choose a style by the name that GNU's --demangle has for it.  False: there is none of that name.  The names are
   known without a demangler too. */
bool demangle_set_style(const char *name);

/* The demangled NAME on the heap, or NULL if it is not a mangled name.  A decoration from the first "@" on stays
   after it.  Also NULL: a name that is too long, that would become too long, or that costs too much.
   NO_LIMIT lets the demangler recurse as deep as a name of that length can make it. */
char *demangle(const char *name, bool no_limit);

/* The demangled NAME without the parameters of the function, on the heap; NULL if that does not fit into a table. */
char *demangle_short(const char *name);

/* Whether names were not demangled because all names of the run together would have cost too much. */
bool demangle_gave_up(void);

/* Warn if demangle_gave_up().  Programs that print demangled names call this at their end. */
void demangle_end(void);

#endif
