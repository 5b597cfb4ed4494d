/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * split-files.h - opens the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * The image has the paths of these files, but it is not trusted: only the last part of a path is used, and only in the
 * directory of the image and in those that the user named.
 */
#ifndef RS_OPEN_SPLIT_FILES_H
#define RS_OPEN_SPLIT_FILES_H

#include "lib/open/debug-files.h"

enum {
	RS_SPLIT_NAMES_MAX = 1 << 14, /* the most names of files that one image can ask for */
	RS_SPLIT_FILES_MAX = 4096     /* the most files that rs_split_files_open_all() opens */
};

/* Names of .dwo files.  All zeros: none. */
struct rs_split_names {
	char **items;
	uint32_t count, room;
	bool no_memory;
};

/* The function `wants_dwo` of struct debuginfo_options: add NAME to the names at CONTEXT, if it is a plain name
   (rs_debug_name_is_plain()) and there is room. */
void rs_split_names_add(void *context, const char *name);

void rs_split_names_clear(struct rs_split_names *names);

/* Search the directory of the image and all directories of PLACES for the files of NAMES and for the image's packages; open and
   load those that exist.  Sorts NAMES.  Returns 0, or -1 without memory. */
int rs_split_files_open(struct rs_debug_files *files, struct rs_split_names *names,
			const struct rs_debug_places *places, struct rossym_error *err);

/* Open and load all files with split DWARF in the directory of the image and in those of PLACES, until the list has RS_SPLIT_FILES_MAX.  Returns 0, or
   -1 without memory. */
int rs_split_files_open_all(struct rs_debug_files *files, const struct rs_debug_places *places,
			    struct rossym_error *err);

/* Sort FILES by the last part of their paths, as struct debuginfo_options wants them.  All of them must be loaded. */
void rs_split_files_sort(struct rs_debug_files *files);

#endif
