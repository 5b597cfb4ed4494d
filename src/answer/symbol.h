/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - from a name that the user typed to an RVA
 *
 * These are tried in turn: a function of the table; the image base; a section; a function by its demangled name; the
 * name of the image itself, so that offsets to it are RVAs.
 */
#ifndef ANSWER_SYMBOL_H
#define ANSWER_SYMBOL_H

#include "rossym.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t rva;
	bool is_module; /* the name is that of the image, and the RVA 0 */
};

/* Names that the library does not index, sorted by hash.  Made when a name is first searched for. */
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

/* Find NAME, of LENGTH bytes, in the image, which was opened from PATH.  SYMBOLS keeps lists of the image for the next
   search.  Returns 1 if it was found, 0 if not, -1 after a message.  Warns if several functions have the name. */
int symbol_find(struct symbols *symbols, struct rossym_image *image, const char *path, const char *name, size_t length,
		struct symbol *symbol);

/* Whether NAME is the name of the file PATH.  Directories and case do not count, and NAME may lack the extension. */
bool symbol_is_module(const char *path, const char *name, size_t length);

#endif
