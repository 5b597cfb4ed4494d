/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - from a name that somebody typed to an address
 *
 * A name is, in this order: a function of the table; the image base; a section; a function by its demangled name; the
 * image itself, whose offsets then are RVAs.
 */
#ifndef TOOL_SYMBOL_H
#define TOOL_SYMBOL_H

#include "rossym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t rva;
	bool is_module;
};

/* Names of an image that the library does not index, by their hashes: made when one of them is first wanted. */
struct symbol_list {
	bool made;
	struct symbol_name *names;
	size_t count, room;
};

/* All zeros: nothing has been searched. */
struct symbols {
	struct symbol_list sections, demangled;
};

void symbols_clear(struct symbols *symbols);

/* Find NAME in the image, which was opened from PATH and which SYMBOLS are of.  1 if it is found, 0 if not, -1 on an error that has been
   reported.  Warns if several functions have the name. */
int symbol_find(struct symbols *symbols, struct rossym_image *image, const char *path, const char *name, size_t length,
		struct symbol *symbol);

/* Whether NAME, perhaps with a path of its own and without its extension, is the module in the file PATH. */
bool symbol_is_module(const char *path, const char *name, size_t length);

#endif
