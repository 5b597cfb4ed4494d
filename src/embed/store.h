/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store.h - adds images and PDB files to a symbol store
 *
 * A symbol store is a directory with files of many builds, each as NAME/KEY/NAME.  NAME is from the command line.  KEY is from the
 * file: the DateStamp of an image, 8 digits, and its length in memory; the GUID of a PDB file and its age.  All are hexadecimal;
 * the DateStamp and the GUID have capitals, the others have not.  symstore.exe writes them so.
 */
#ifndef EMBED_STORE_H
#define EMBED_STORE_H

#include "tool/out.h"

#include <stdbool.h>
#include <stddef.h>

struct store_request {
	const char *directory;		/* of the store; it is made if there is none */
	const char *const *images;	/* paths */
	size_t image_count;
	const char *const *pdbs;
	size_t pdb_count;
	bool verbose;
	struct out *out;
};

/*
 * Add the files and print the path of each in the store.  A file that the store has already, byte for byte, is left alone; one with
 * another content is not replaced.  After a message about one file, the next ones are still added.
 * Gives up the right to open anything else.  Returns the exit status: 1 if a file is not in the store.
 */
int store_add(const struct store_request *rq);

#endif
