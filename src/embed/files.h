/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - files beside an image that may have its debug information
 *
 * This process opens them before it gives up the right to.  It opens regular files only, under names that a stranger's
 * image cannot choose freely (tool/files/debug-names.h), and looks at no more than their first bytes.  A child finds
 * out which of them belong to the image.
 */
#ifndef EMBED_FILES_H
#define EMBED_FILES_H

#include "debuginfo/read-rows.h"
#include "tool/files/file.h"

struct files {
	struct debuginfo_file *items;
	uint32_t count;
	size_t room;
	uint64_t size; /* of all of them */
};

struct places {		   /* where to look */
	const char *image; /* in the directory of this file */
	const char **directories;
	uint32_t directory_count;
	bool recorded; /* also at the paths that the image records */
};

/* Add the file NAME in the directory that is the first LENGTH bytes of DIRECTORY, if it exists and has at most MOST
   bytes.  With IMAGE, the file may have debug information of the image at that path: IMAGE itself and files that were
   added are left out, and of a file that is no image, ELF or PDB file only the beginning is read.  Without IMAGE, any
   file is read whole.  This function and the next ones return false after a message: there is no memory, or a file
   cannot be read. */
bool files_add(struct files *files, const char *directory, size_t length, const char *name, uint64_t most,
	       const char *image);

/* Add the file PATH, which the user named. */
bool files_add_named(struct files *files, const char *path);

/* Add all files with debug information that IMAGE may have, in order of preference.  An image with a table
   needs none. */
bool files_find(struct files *files, const struct file_content *image, const struct places *places);

/* The content of FILE, which is at PATH, as a file of debug information. */
struct debuginfo_file files_item(const char *path, const struct file_content *file);

void files_clear(struct files *files);

#endif
