/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index.h - which files there are, by name
 *
 * Made once from the files, directories and archives that the user named; a name is looked up without regard to case.
 * Nothing else is ever looked at: not the current directory, not a path that stands in a log.
 */
#ifndef LOG_INDEX_H
#define LOG_INDEX_H

#include "log/archive.h"

#include <stdbool.h>
#include <stddef.h>

struct opened;			/* modules.c: what is known about the content */

struct file {
	char *path;		/* of the file, or of the archive it is in */
	char *inside;		/* its path in the archive, or NULL */
	char *name;		/* its name without path, lower case */
	struct archives_place place;
	unsigned order;		/* the earlier the user named where it is, the lower; 0: the file itself was named */
	struct opened *opened;
};

struct index {
	struct file *files;
	size_t count, size;
	struct archives *archives;
	unsigned orders;
	bool sorted;
};

/* All of these say what is wrong themselves.  False: something could not be read; what could be is in the index. */
bool index_add_file(struct index *index, const char *path);
bool index_add_directory(struct index *index, const char *path);	/* or an archive */

/* To be called after all have been added. */
void index_sort(struct index *index);

/* The files whose names begin with PREFIX, in lower case: *COUNT of them from the returned one on, by name, then by order,
   then by path. */
struct file *index_find(const struct index *index, const char *prefix, size_t length, size_t *count);

void index_clear(struct index *index);

/* How messages name a file: "PATH", or "PATH: INSIDE"; masked, in BUFFER. */
const char *file_label(const struct file *file, char *buffer, size_t size);

#endif
