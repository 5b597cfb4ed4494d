/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol-store.h - files in a symbol store, found without reading the whole store
 *
 * A symbol store is a directory with thousands of files, each as NAME/KEY/NAME; or, if it has a file index2.txt, as
 * na/NAME/KEY/NAME, where "na" are the first two characters of NAME.  KEY tells the builds of one name apart.  That of
 * an image is its DateStamp, 8 hexadecimal digits, followed by its length in memory:
 * ntoskrnl.exe/5DB90293291000/ntoskrnl.exe.  That of a PDB file is its GUID, followed by its age.  A store that comes
 * from Windows can have any of these names in upper or lower case.
 */
#ifndef TOOL_FILES_SYMBOL_STORE_H
#define TOOL_FILES_SYMBOL_STORE_H

#include <stdbool.h>

struct symbol_store_wanted {
	const char *name; /* not trusted: no file is found elsewhere */
	const char *key;
	bool beginning; /* the key is only the beginning of a key */
};

/* Call TAKE with CONTEXT and the path of each file that is WANTED and in the store DIRECTORY, until TAKE returns false.
   Any directory may be asked: one that is no store has no such file.  False: no memory. */
bool symbol_store_find(const char *directory, const struct symbol_store_wanted *wanted,
		       bool (*take)(void *context, const char *path), void *context);

/* Store the first two characters of NAME in LETTERS: the directory of NAME in a store that has index2.txt. */
void symbol_store_letters(const char *name, char letters[3]);

#endif
