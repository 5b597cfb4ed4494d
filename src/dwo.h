/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwo.h - the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * An image names them, and is not trusted: of a name only the last part counts, and the file is looked for beside the
 * image and in directories that the user named.  A child lists the names; this process opens the files.
 */
#ifndef DWO_H
#define DWO_H

#include "debuginfo/rows.h"
#include "tool/file.h"

struct dwo_files {
	struct debuginfo_dwo *items;
	uint32_t count;
	uint64_t size;		/* of all of them */
};

struct dwo_places {		/* where to look */
	const char *image;	/* beside this file */
	const char **directories;
	uint32_t directory_count;
};

/* Read all files that IMAGE names.  Those that are not there are passed over.  False after a message; FILES wants
   dwo_clear() in any case. */
bool dwo_read(struct dwo_files *files, const struct file *image, const struct dwo_places *places);
void dwo_clear(struct dwo_files *files);

#endif
