/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * symbol-store.h - finds files in a symbol store without reading the whole store
 *
 * A symbol store is a directory with thousands of files, each at the path NAME/KEY/NAME; or, if the store has a file
 * index2.txt, at na/NAME/KEY/NAME, where "na" are the first two characters of NAME.  KEY differs between the builds of
 * a file.  The key of an image is its TimeDateStamp, 8 hexadecimal digits, followed by its SizeOfImage:
 * ntoskrnl.exe/5DB90293291000/ntoskrnl.exe.  The key of a PDB file is its GUID, followed by its age.  In a store that
 * was made on Windows, all of these names can be in upper or lower case.
 */
#ifndef SEARCH_SYMBOL_STORE_H
#define SEARCH_SYMBOL_STORE_H

#include <stdbool.h>

struct listings;

struct symbol_store_wanted {
	const char *name; /* untrusted: a name that is no plain file name is not found */
	const char *key;
	bool beginning; /* `key` is only the beginning of the wanted keys */
};

/* Call TAKE with CONTEXT and the path of each file in the store DIRECTORY that matches WANTED, until TAKE returns
   false.  If DIRECTORY is no store, no file matches.  LISTINGS keep the names that were read.  False: no memory. */
bool rs_symbol_store_find_files(struct listings *listings, const char *directory,
				const struct symbol_store_wanted *wanted, bool (*take)(void *context, const char *path),
				void *context);

#endif
