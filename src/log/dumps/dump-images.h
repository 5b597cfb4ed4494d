/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-images.h - finds and reads the images of a dump's modules, and their PDB files
 *
 * A dump has the name, DateStamp (the time in its PE headers) and length of each module, and perhaps a key: the GUID
 * and age of its PDB file, or a build-id.  A set of modules (rossym-set.h) chooses among the files with this name, from
 * the same places as for a log's modules.
 * The file that the set chooses is used only if the key, or else DateStamp and length, show that it is the image of the
 * module.  PDB files are returned unchecked: whoever reads one must compare its GUID.
 */
#ifndef LOG_DUMPS_DUMP_IMAGES_H
#define LOG_DUMPS_DUMP_IMAGES_H

#include "dump/images.h"
#include "log/archive/origin.h"
#include "log/find/modules.h"

struct dump_image;

/* Begin with all zeros but `modules`: no file has been looked for. */
struct dump_image_files {
	struct modules *modules; /* where to look for files; NULL: nowhere */
	struct rossym_set *set;	 /* the modules that were looked for, and their images; NULL: none was looked for yet */
	struct dump_image *images; /* one for each module of the dump, by the module's number */
	size_t room;
	/* the PDB file that is open; NULL: none */
	const struct file *pdb;
	int pdb_fd;		     /* the descriptor of that file; -1: it is in an archive */
	struct content *pdb_content; /* the bytes of that file, if it is in an archive; else NULL */
	struct origin pdb_bytes;
};

/* Returns the functions through which write_dump_report() gets images.  They use FILES, which must stay valid. */
struct dump_image_source dump_image_files_source(struct dump_image_files *files);

/* Close all files, free the lists, and forget all images. */
void dump_image_files_clear(struct dump_image_files *files);

#endif
