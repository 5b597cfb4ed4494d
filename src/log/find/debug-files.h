/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-files.h - the files that may have the symbols of an image: PDB files and debug files
 *
 * search/debug-names.h lists the names of these files.  Debug files that the user named come first.  Each is tried for
 * the images that the user named, and for any image whose name differs in the extension only.  Other files are searched
 * for in the directory of the image, in symbol stores and in all directories and archives that the user named; for an
 * image in an archive, also in its directory there.  Debug files elsewhere are never opened, even if an image records
 * their path.
 */
#ifndef LOG_FIND_DEBUG_FILES_H
#define LOG_FIND_DEBUG_FILES_H

#include "log/find/file-index.h"
#include "rossym.h"

enum { DEBUG_FILES_MAX = 4 };

struct debug_files {
	const struct file *files[DEBUG_FILES_MAX]; /* the files that were found, the best first */
	unsigned count;
};

/* Find the debug files of IMAGE, which was opened from FILE, and store them in *DEBUG_FILES.  Before
   index_read_places(), this misses files that only the index can find.  Returns false if there is no memory. */
bool debug_files_find(struct debug_files *debug_files, struct index *index, const struct file *file,
		      struct rossym_image *image);

#endif
