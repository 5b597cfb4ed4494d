/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search-path.h - lists of paths: those of options, and the directories that environment variables list
 *
 * ROSSYM_PATH has the form of PATH.  _NT_SYMBOL_PATH has that of Microsoft's debuggers, on all systems: elements are
 * separated by semicolons, and each is one of these, in upper or lower case:
 *
 *	DIRECTORY
 *	cache*DIRECTORY			a symbol store that keeps what debuggers have fetched
 *	srv*STORE*STORE...		symbol stores, the nearest first; the last one is usually the URL of a server
 *	symsrv*LIBRARY*STORE*STORE...	such stores; LIBRARY is the DLL that a debugger calls, such as symsrv.dll
 *
 * Only directories of this computer are used.  URLs, paths that begin with two slashes or backslashes, which are on
 * other computers, and empty STOREs, for which a debugger uses its own default, are left out.
 */
#ifndef TOOL_FILES_SEARCH_PATH_H
#define TOOL_FILES_SEARCH_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* All zeros is a list without paths. */
struct search_path {
	char **items;
	size_t count, room;
};

/* Add a copy of the LENGTH bytes at TEXT.  False: no memory. */
bool search_path_add_one(struct search_path *path, const char *text, size_t length);

/* The effect of an option (tool/command/options.h): add ARGUMENT to PATH, a struct search_path. */
int search_path_add_path(void *path, const char *argument);

/* Add the directories that TEXT lists; it may be NULL.  TEXT is the value of ROSSYM_PATH, or, for
   search_path_add_symbols(), of _NT_SYMBOL_PATH.  Empty elements are skipped.  False: no memory. */
bool search_path_add(struct search_path *path, const char *text);
bool search_path_add_symbols(struct search_path *path, const char *text);

void search_path_clear(struct search_path *path);

#endif
