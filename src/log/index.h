/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - find files by their names, upper and lower case being equal
 *
 * The index is made once, from the files, directories and archives that the user named, or from those of places.h.  A name in a
 * log can only find a file in it: rossym-log never opens a path from a log.
 */
#ifndef LOG_INDEX_H
#define LOG_INDEX_H

#include "log/archive.h"

#include <stdbool.h>
#include <stddef.h>

struct file {
	char *path;		/* of the file, or of the outermost archive that holds it */
	char *inside;		/* its path in the innermost archive, or NULL */
	char *name;		/* its name without path, in lower case */
	struct archives_place place;
	unsigned order;		/* 0: the user named the file.  Otherwise which directory or archive it is from, counted from 1 */
	bool said_broken, said_short;	/* what has been said about its content */
};

struct index {
	struct file *files;
	size_t count, room;
	struct archives *archives;	/* NULL before the first one is added */
	struct budget budget;		/* for all of them */
	unsigned orders;	/* how many directories and archives were added */
	bool sorted;
};

/* Add a file, or all files below a directory or inside an archive.  False after printing why something could not be read; the
   rest is in the index. */
bool index_add_file(struct index *index, const char *path);
bool index_add_directory(struct index *index, const char *path);

/* Sort the index: call it after adding and before index_find(). */
void index_sort(struct index *index);

/* Find the files whose names begin with PREFIX, which is in lower case.  Returns the first of *COUNT files in the index,
   sorted by name, then by order, then by path. */
struct file *index_find(const struct index *index, const char *prefix, size_t length, size_t *count);

void index_clear(struct index *index);

/* Write to BUFFER the name of a file for messages, with control characters masked: "PATH", or "PATH: INSIDE".
   Returns BUFFER. */
const char *file_label(const struct file *file, char *buffer, size_t size);

#endif
