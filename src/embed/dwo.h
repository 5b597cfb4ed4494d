/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dwo.h - the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * The image names these files, but the image is not trusted: only the last part of a name counts, and the program looks
 * for it only in the directory of the image and in those that the user named.  A child reads the names out of the
 * image; this process opens the files, before it gives up the right to.
 */
#ifndef DWO_H
#define DWO_H

#include "debuginfo/rows.h"
#include "tool/file.h"

struct dwo_files {
	struct debuginfo_file *items;
	uint32_t count;
	uint64_t size;		/* of all of them */
};

struct dwo_places {		/* where to look */
	const char *image;	/* in the directory of this file */
	const char **directories;
	uint32_t directory_count;
};

/* Read all files that IMAGE names and that exist.  Returns false after a message.  Call dwo_clear() in either case. */
bool dwo_read(struct dwo_files *files, const struct file *image, const struct dwo_places *places);
void dwo_clear(struct dwo_files *files);

#endif
