/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-files.h - the files that may have the symbols of an image: PDB files and debug files
 *
 * tool/files/debug-names.h says what they are called.  Files that the user named come first: they are for the images
 * that the user named, and for others of the same name, whatever the extension is.  Other files are looked for beside
 * the image, in symbol stores and in all other places that the user named; for an image in an archive, also beside it
 * in the archive.  A name that an image records finds no file anywhere else.
 */
#ifndef LOG_FIND_DEBUG_FILES_H
#define LOG_FIND_DEBUG_FILES_H

#include "log/find/file-index.h"
#include "rossym.h"

enum { DEBUG_FILES_MOST = 4 };

struct debug_files {
	const struct file *files[DEBUG_FILES_MOST]; /* the best first */
	unsigned count;
};

/* Find the debug files of IMAGE, which was opened from FILE, in *DEBUG_FILES.  Files that only the index knows are
   found if it has been read.  False: no memory. */
bool debug_files_find(struct debug_files *debug_files, struct index *index, const struct file *file,
		      struct rossym_image *image);

#endif
