/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - from the path in a table to the path that is shown
 *
 * Paths in tables are relative to the source tree, or they are those of the machine that built the image.  The options
 * change them in three steps: the first mapping that fits replaces the beginning of the path; the source root is put
 * before a relative path; the path is cut to its last part.
 */
#ifndef TOOL_PATHS_H
#define TOOL_PATHS_H

#include "tool/tree.h"

struct path_map {
	const char *from;
	size_t from_length; /* without trailing slashes */
	const char *to;	    /* NULL: remove `from` and the slash after it, so that the path becomes relative */
};

struct paths {
	const char *source_root; /* or NULL */
	struct path_map *maps;
	size_t map_count, map_room;
	struct tree tree; /* the directories of paths_add_root() */
	bool basenames;
	char *buffer; /* of the last paths_show() */
};

/* Add a mapping "OLD=NEW", which is not copied.  PATHS_BAD_MAP: there is no "=", or OLD is empty. */
enum paths_status { PATHS_OK, PATHS_BAD_MAP, PATHS_NO_MEMORY };
enum paths_status paths_add_map(struct paths *paths, const char *map);

/* Make paths below DIRECTORY relative to it, and also names from which a compiler has removed DIRECTORY but not the
   slash after it (tree.h).  DIRECTORY's own path stays.  False: no memory. */
bool paths_add_root(struct paths *paths, const char *directory);

/* The path to show for FILE: FILE itself, a part of it, or a buffer that is valid until the next call.  NULL: no
   memory.  Only the first ROSSYM_LENGTH_MAX bytes of FILE are read, and the caller should not show more. */
const char *paths_show(struct paths *paths, const char *file);

/* Whether every path is shown unchanged. */
static inline bool paths_are_plain(const struct paths *paths)
{
	return paths->map_count == 0 && !paths->source_root && !paths->basenames;
}

/* Free the buffer only. */
void paths_forget(struct paths *paths);
void paths_clear(struct paths *paths);

/* The name of a file of this host, without its directory or drive. */
const char *paths_base(const char *path);

/* The last part of PATH, a path of any system. */
const char *paths_last_part(const char *path);

#endif
