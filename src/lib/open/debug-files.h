/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-files.h - opens the files that may have the debug information of an image, and passes on warnings about them
 *
 * Only regular files are opened, under names that an untrusted image cannot choose freely (search/debug-names.h).  When
 * debuginfo/ reads them, it finds out which of them belong to the image.
 */
#ifndef RS_OPEN_DEBUG_FILES_H
#define RS_OPEN_DEBUG_FILES_H

#include "debuginfo/base/debuginfo.h"
#include "lib/base/pieces.h"
#include "rossym.h"

/* Passes warnings to the library's caller.  Each look-up that reads debug information finds the same damage again, but
   the caller gets a warning only once.  A hostile file can cause millions of warnings, so their number and their bytes
   are limited.  At the start, all fields are zeros except the first two. */
struct rs_warnings {
	void (*warn)(void *context, const struct rossym_warning *warning); /* NULL: warnings are dropped */
	void *context;
	uint64_t hashes[1024]; /* of the newest warnings */
	size_t count, bytes;   /* of all warnings that were passed on */
	bool too_many;	       /* a limit was reached: later warnings are dropped */
};

/* Pass the warning TEXT to the library's caller, unless it was passed before.  It is about the file PATH or, if PATH is
   NULL, about the image.  NUMBER is an errno, or 0; CODE is as in struct rossym_warning. */
void rs_warnings_pass_on(struct rs_warnings *warnings, const char *path, const char *text, int number,
			 enum rossym_code code);

/* An open file.  It must not move in memory, because the source that debuginfo/ reads refers to it. */
struct rs_opened_file {
	char *path;
	struct rs_source source;
	struct rs_stamp stamp; /* of `source`, when the file was loaded */
	struct rs_pieces pieces;
	bool pdb;		     /* a PDB file, of which only the bytes that are needed are read */
	struct rs_opened_file *next; /* in the list of all files */
};

/* All zeros: no files. */
struct rs_debug_files {
	struct debuginfo_file *items; /* their sources can be read when they have been loaded */
	struct rs_opened_file *all;   /* also files that were left out: answers may still have their paths */
	uint32_t count, room;
	uint32_t loaded;   /* the first `loaded` files have been loaded */
	uint64_t together; /* bytes of all files but PDB files */
};

/* How files are read.  RS_PIECES: each piece when it is needed.  RS_MAP: by mapping them, if the system can.  RS_ALL:
   all bytes at once, for a child process, which has no open files; but PDB files are mapped. */
enum rs_reading { RS_PIECES, RS_MAP, RS_ALL };

/* Where files are searched for, and how they are read. */
struct rs_debug_places {
	const char *image; /* the image, beside which files are searched for; NULL: search only in `directories` */
	const char *const *directories;
	size_t directory_count;
	bool recorded; /* files are also searched for at the paths that the image records */
	enum rs_reading reading;
	struct rs_warnings *warnings;
	/* the caller's function that finds files with split DWARF (rossym.h); NULL: they are searched for */
	int (*find_split)(void *context, const char *name, size_t number, struct rossym_debug_file *file);
	void *find_context;
};

/* Open the files that may have the debug information of IMAGE, in order of preference.  Files that cannot be opened get
   a warning.  Returns 0, or -1 without memory. */
int rs_debug_files_find(struct rs_debug_files *files, struct rossym_image *image, const struct rs_debug_places *places,
			struct rossym_error *err);

/* Add the file GIVEN by the library's caller.  Returns 0 or -1. */
int rs_debug_files_add(struct rs_debug_files *files, const struct rossym_debug_file *given, struct rossym_error *err);

/* Whether PATH is, by its name, a file with split DWARF. */
bool rs_debug_files_is_split(const char *path);

/* Make the bytes of all files available.  There can be many .dwo files, more than a process may have open, so these
   are read and closed.  Other files are mapped, or read when they are needed.  A file that cannot be read is left
   out, with a warning.  Returns 0, or -1 without memory. */
int rs_debug_files_load(struct rs_debug_files *files, const struct rs_debug_places *places, struct rossym_error *err);

/* Remove files that have changed since they were loaded, or that could not be read since then, with a warning for each.
   Returns 1 if there were such files; 0 if not; or -1 with *ERR if the user named one of them, or without memory. */
int rs_debug_files_drop_unusable(struct rs_debug_files *files, struct rs_warnings *warnings, struct rossym_error *err);

void rs_debug_files_clear(struct rs_debug_files *files);

/* ----------------------------------------------------------------------------------- split DWARF */

enum {
	RS_SPLIT_NAMES_MAX = 1 << 14, /* the most names of files that are kept for one image */
	RS_SPLIT_FILES_MAX = 4096     /* the most files that are opened without names */
};

/* Names of .dwo files.  All zeros: there are none. */
struct rs_split_names {
	char **items;
	uint32_t count, room;
	bool no_memory;
};

/* For debuginfo_options.wants_dwo: add NAME to the struct rs_split_names at CONTEXT, if it is a plain name
   (rs_debug_name_is_plain()) and there is room. */
void rs_split_names_add_name(void *context, const char *name);

void rs_split_names_clear(struct rs_split_names *names);

/* Search the directory of the image and all directories of PLACES for the files of NAMES and for the image's packages;
   open and load those that exist.  Sorts NAMES.  If NAMES is NULL, opens and loads all files with split DWARF in these
   directories, until the list has RS_SPLIT_FILES_MAX.  Returns 0, or -1 without memory. */
int rs_split_files_open(struct rs_debug_files *files, struct rs_split_names *names,
			const struct rs_debug_places *places, struct rossym_error *err);

/* Sort FILES by the last part of their paths, as struct debuginfo_options requires.  All of them must be loaded. */
void rs_split_files_sort(struct rs_debug_files *files);

/* ------------------------------------------------------------------------------------------ debug.c */

/*
 * Let IMAGE, whose path is PATH or unknown (NULL), answer from its debug information.  Opens the files that may have
 * this, but reads only headers: the first look-up finds out whether the files belong to the image, and whether they can
 * be read.  WHY is the error for an image without debug information.  Returns 0; or -1 with *ERR, which is *WHY if
 * there can be no debug information.
 */
int rs_debug_open(struct rossym_image *image, const char *path, const struct rossym_open_options *options,
		  const struct rossym_error *why, struct rossym_error *err);

#endif
