/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - adds images and PDB files to a symbol store
 *
 * A symbol store is a directory with files of many builds, each as NAME/KEY/NAME (search/symbol-store.h).  NAME is
 * the last part of the path on the command line.  KEY is made of numbers in the file: for an image TimeDateStamp, 8
 * digits, and SizeOfImage; for a PDB file its GUID and its age.  All are hexadecimal; TimeDateStamp and the GUID have
 * capital letters, the others small ones, as Microsoft's symstore.exe writes them.
 */
#ifndef EMBED_STORE_H
#define EMBED_STORE_H

#include "tool/out.h"

#include <stdbool.h>
#include <stddef.h>

struct store_request {
	const char *directory;	  /* the store; created if it does not exist */
	const char *const *files; /* paths of images and PDB files */
	size_t file_count;
	const char *const *pdbs; /* more paths, of PDB files only */
	size_t pdb_count;
	bool verbose;
	struct out *out;
};

/*
 * Add the files, and print the path of each in the store.  A file that is in the store already is not replaced; it is
 * an error if its bytes differ.  All files are checked before the first one is added, so most errors leave the store
 * unchanged.  After a later error, such as a full disk, the remaining files are not added.  Drops the privilege to open
 * anything else.  Returns the exit status: 0, or 1 after an error.
 */
int store_add(const struct store_request *rq);

#endif
