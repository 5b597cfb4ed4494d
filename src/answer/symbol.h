/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol.h - finds the RVA of a name that the user has typed
 *
 * A name can be, and is tried in this order: a function of the table; a linker's name of the image base; a section; a
 * function by its demangled name; the name of the image itself, so that an offset to it is an RVA.
 */
#ifndef ANSWER_SYMBOL_H
#define ANSWER_SYMBOL_H

#include "rossym.h"
#include "tool/counter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t rva;
	bool is_module; /* the name is that of the image, and `rva` is 0 */
};

/* Lists of names for which the library has no index.  A list is made when a name is first searched for in it.  All
   zeros: no list has been made. */
struct symbols {
	bool has_sections, has_demangled; /* whether the list has been made */
	struct counter sections; /* the keys are names, the counts RVAs; of equal names, only the first is kept */
	/* Two kinds of entries.  If the key is only the hash of a demangled name, the count is how many names have this
	   hash.  If it is a hash and a number from 1 on, the count is a pointer to a mangled name in the image. */
	struct counter demangled;
};

void symbols_clear(struct symbols *symbols);

/* Find NAME, of LENGTH bytes, in IMAGE, whose file is PATH, and store it in *SYMBOL.  SYMBOLS caches lists of names in
   IMAGE.  Returns 1 if NAME was found, perhaps after a warning; 0 if not; or -1 after an error message. */
int symbol_find(struct symbols *symbols, struct rossym_image *image, const char *path, const char *name, size_t length,
		struct symbol *symbol);

/* Whether NAME is the name of the file PATH.  Directories and case are ignored, and NAME may lack the extension. */
bool symbol_is_name_of_module(const char *path, const char *name, size_t length);

#endif
