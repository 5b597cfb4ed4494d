/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * companions.h - the files that may have the symbols of an image: PDB files and debug files
 *
 * tool/files/debug-names.h says what they are called.  Files that the user named come first: they are for the images
 * that the user named, and for others of the same name, whatever the extension is.  Other files are looked for beside
 * the image, in symbol stores and in all other places that the user named; for an image in an archive, also beside it
 * in the archive.  A name that an image records finds no file anywhere else.
 */
#ifndef LOG_FIND_COMPANIONS_H
#define LOG_FIND_COMPANIONS_H

#include "log/find/index.h"
#include "rossym.h"

enum { COMPANIONS_MOST = 4 };

struct companions {
	const struct file *files[COMPANIONS_MOST]; /* the best first */
	unsigned count;
};

/* Find the companions of IMAGE, which was opened from FILE, in *COMPANIONS.  Files that only the index knows are found
   if it has been read.  False: no memory. */
bool companions_find(struct companions *companions, struct index *index, const struct file *file,
		     struct rossym_image *image);

#endif
