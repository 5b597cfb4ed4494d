/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-images.h - the bytes of the images of a dump's modules
 *
 * A dump names its modules and has their DateStamps and lengths, or the GUIDs of their PDB files.  The files with these
 * names are looked for as those of a log's modules are, and only one that is the module's image is used.  Whether a file
 * is the PDB file of an image is found out by who reads it.
 */
#ifndef LOG_DUMPS_DUMP_IMAGES_H
#define LOG_DUMPS_DUMP_IMAGES_H

#include "dump/images.h"
#include "log/find/modules.h"

enum { DUMP_IMAGES_OPEN = 16 }; /* the most that are open at the same time */

struct dump_image_file;

/* All zeros but `modules`: nothing has been looked for. */
struct dump_image_files {
	struct modules *modules; /* where the files are; NULL: nowhere */
	struct dump_image_file *
		*files; /* by the numbers of the dump's modules, and DUMP_IMAGES more for PDB files; NULL: none */
	size_t room;
	uint32_t open[DUMP_IMAGES_OPEN]; /* numbers of those that are, the newest one first */
	size_t open_count;
};

/* What dump_report() asks; FILES stay in use. */
struct dump_image_source dump_image_files_source(struct dump_image_files *files);

/* Close all files, and forget them. */
void dump_image_files_clear(struct dump_image_files *files);

#endif
