/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-images.h - finds and reads the images of a dump's modules, and their PDB files
 *
 * A dump has the name, DateStamp and length of each module, and perhaps a key: the GUID and age of its PDB file, or a
 * build-id.  Image files are looked for by name, in the same places as for the modules of a log; a file is used only if
 * the key, or else DateStamp and length, show that it is the image of the module.  PDB files are returned unchecked:
 * whoever reads one must compare its GUID.
 */
#ifndef LOG_DUMPS_DUMP_IMAGES_H
#define LOG_DUMPS_DUMP_IMAGES_H

#include "dump/images.h"
#include "log/find/modules.h"

enum { DUMP_IMAGES_OPEN = 16 }; /* the most files that stay open */

struct dump_image_file;
struct dump_image_result;

/* All zeros but `modules`: no file has been looked for. */
struct dump_image_files {
	struct modules *modules; /* where to look for files; NULL: nowhere */
	/* Element N is the image of the dump's module N, element N + DUMP_IMAGES its PDB file.
	   NULL: not looked for. */
	struct dump_image_file **files;
	size_t room; /* elements of `files` */
	/* The results of the searches: one for all modules with the same name, DateStamp and length, because a dump can
	   have thousands of these. */
	struct dump_image_result **results;
	size_t result_count, result_room;
	size_t open_count; /* how many files are open */
};

/* Returns the functions through which dump_report() gets images.  They use FILES, which must stay valid. */
struct dump_image_source dump_image_files_source(struct dump_image_files *files);

/* Close all files, and free the list. */
void dump_image_files_clear(struct dump_image_files *files);

#endif
