/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - changes the path of a source file in a table to the path that is shown
 *
 * A path in a table is relative to the source tree, or it is a path on the machine that built the image.  Options
 * change it in three steps: the first mapping that matches replaces the beginning of the path; a source root is put
 * before a path that is relative; the path is cut to its last part.
 */
#ifndef TOOL_PATHS_H
#define TOOL_PATHS_H

#include "tool/tree.h"

struct path_map {
	const char *from;
	size_t from_length; /* the length of `from` without trailing slashes */
	const char *to;	    /* NULL: remove `from` and the slash after it, so that the path becomes relative */
};

struct paths {
	const char *source_root; /* put this before relative paths; or NULL */
	struct path_map *maps;
	size_t map_count, map_room;
	struct tree tree; /* the directories of paths_add_root() */
	bool basenames;	  /* cut paths to their last part */
	char *buffer;	  /* memory for the newest path that paths_show() had to make; or NULL */
};

enum paths_status { PATHS_OK, PATHS_BAD_MAP, PATHS_NO_MEMORY };

/* Add a mapping "OLD=NEW", which is not copied.  PATHS_BAD_MAP: there is no "=", or OLD is empty. */
enum paths_status paths_add_map(struct paths *paths, const char *map);

/* Make paths below DIRECTORY relative to it; also paths from which a compiler has removed DIRECTORY but not the slash
   after it (tree.h).  The path of DIRECTORY itself does not change.  False: no memory. */
bool paths_add_root(struct paths *paths, const char *directory);

/* Returns the path to show for FILE: FILE itself, a part of it, or a buffer that is valid until the next call.  NULL:
   no memory.  Only the first ROSSYM_LENGTH_MAX bytes of FILE are read, and the caller should not show more. */
const char *paths_show(struct paths *paths, const char *file);

/* Whether every path is shown unchanged. */
static inline bool paths_are_plain(const struct paths *paths)
{
	return paths->map_count == 0 && !paths->source_root && !paths->basenames;
}

/* paths_forget() frees the buffer of paths_show(); paths_clear() frees everything. */
void paths_forget(struct paths *paths);
void paths_clear(struct paths *paths);

#endif
