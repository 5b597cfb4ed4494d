/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * files.h - files that may have the debug information of an image
 *
 * This process opens them before it drops the privilege to open files.  It opens regular files only, under names that a
 * stranger's image cannot choose freely (search/debug-names.h), and interprets no more than their first bytes.  A
 * child process finds out which of them belong to the image.
 */
#ifndef EMBED_FILES_H
#define EMBED_FILES_H

#include "debuginfo/read-rows.h"
#include "tool/files/file.h"

struct files {
	struct debuginfo_file *items;
	uint32_t count;
	size_t room;
	uint64_t size; /* bytes of all files together */
};

/* Where files are searched. */
struct places {
	const char *image; /* the path of the image, in whose directory files are searched */
	const char **directories;
	uint32_t directory_count;
	const char **dwo_directories; /* .dwo files are searched here first, then in `directories` */
	uint32_t dwo_directory_count;
	bool recorded; /* files are also searched at the paths that the image records */
};

/* Add the file NAME in a directory, if it exists and has at most MOST bytes.  The directory is the first LENGTH bytes
   of DIRECTORY.  IMAGE: NULL, or the path of the image whose debug information the file may have.  With IMAGE, this
   ignores IMAGE itself and files that were added before, and reads only the beginning of files that are no image, ELF
   or PDB file.  Without IMAGE, it reads all of any file.  A file that is too large, or that
   cannot be opened, is left out with a warning.  This function and the next two return false after a message: there is
   no memory, or reading a file has failed. */
bool files_add(struct files *files, const char *directory, size_t length, const char *name, uint64_t most,
	       const char *image);

/* Add the file PATH, which the user named. */
bool files_add_named(struct files *files, const char *path);

/* Add all files that may have debug information of IMAGE, in order of preference; none if IMAGE has a table. */
bool files_find(struct files *files, const struct file_content *image, const struct places *places);

/* Returns FILE, which is at PATH, in the form that readers of debug information take.  Nothing is copied. */
struct debuginfo_file files_item(const char *path, const struct file_content *file);

void files_clear(struct files *files);

#endif
