/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file-index.h - find files by their names, upper and lower case being equal
 *
 * The index is made once, from the files, directories and archives that the user named, or from those of places.h.  A
 * name in a log can only find a file in it: rossym-log never opens a path from a log.
 *
 * The ISOs in a directory that the user named, but not those further below, are read as if the user had named them.
 * Those in a build directory are not: they have the same modules as the directory.
 */
#ifndef LOG_FIND_FILE_INDEX_H
#define LOG_FIND_FILE_INDEX_H

#include "log/archive/archives.h"

#include <stdbool.h>
#include <stddef.h>

struct file {
	char *path;   /* of the file, or of the outermost archive that holds it */
	char *inside; /* its path in the innermost archive, or NULL */
	char *name;   /* its name without path, in lower case */
	struct archives_place place;
	/* 0: the user named the file.  Otherwise which directory or archive it is from, counted from 1 */
	unsigned order;
	struct built_place *home;	      /* the place whose build it is from (builds.h), or NULL */
	const struct file *origin;	      /* where the table was made from that its image has no other; or NULL */
	bool reported_broken, reported_short; /* what has been said about its content */
};

struct index {
	struct file **files;
	size_t count, room;
	char **places; /* the directories and archives that the user named */
	size_t place_count, place_room;
	bool discs;		  /* look into the ISOs of directories */
	bool read, failed;	  /* the files in these places have been added; not all could be read */
	const char **debug_files; /* paths of PDB and debug files that the user named */
	size_t debug_file_count, debug_file_room;
	struct file **others; /* files that index_find() does not find */
	size_t other_count, other_room;
	struct archives *archives; /* NULL before the first one is added */
	struct budget budget;	   /* for all of them */
	struct forkserver *server; /* likewise */
	bool sorted;
};

/* Add a file.  False: no memory, after a message. */
bool index_add_file(struct index *index, const char *path);

/* Add a directory or an archive, which index_read() will read.  False: no memory. */
bool index_add_place(struct index *index, const char *path);

/* Add a file of place number PLACE, which has not been read.  As index_add_file(). */
bool index_add_early(struct index *index, const char *path, size_t place);

/* Add the PDB or debug file PATH, which stays in use.  False: no memory. */
bool index_add_debug_file(struct index *index, const char *path);

/* Whether the user has named FILE. */
bool index_is_named(const struct index *index, const struct file *file);

/* Add all files below the directories and inside the archives that were added; only the first call does so.  If
   something cannot be read, it is left out after a message, and `failed` says so. */
void index_read(struct index *index);

/* Returns a file that index_find() does not find, but that lives as long.  NULL: no memory. */
struct file *index_other(struct index *index, const char *path);

/* Find the files whose names begin with the LENGTH bytes PREFIX, which are in lower case.  Returns the first of
   *COUNT files, sorted by name, then by order, then by path.  The list is valid until something is added, the files
   are until index_clear(). */
struct file **index_find(struct index *index, const char *prefix, size_t length, size_t *count);

/* Whether PATH, a file of the index or an archive, is one that the user named, or an ISO in such a directory. */
bool index_is_whole_place(const struct index *index, const char *path, unsigned order);

void index_clear(struct index *index);

/* Write to BUFFER the name of a file for messages, with control characters masked: "PATH", or "PATH: INSIDE".
   Returns BUFFER. */
const char *file_label(const struct file *file, char *buffer, size_t size);

/* The archives of INDEX, which are made when they are first needed.  NULL: no memory. */
struct archives *index_archives(struct index *index);

#endif
