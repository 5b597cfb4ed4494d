/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paths.h - changes the path of a source file in a .rossym table to the path that is shown
 *
 * A path in a table is relative to the source tree, or it is a path on the machine that built the image.  Options
 * change it in three steps: the first mapping that matches replaces the beginning of the path; a source root is put
 * before a path that is relative; the path is cut to its last part.
 *
 * struct tree recognises paths that are relative to the source tree, although they begin with a slash.  With
 * -fdebug-prefix-map=SOURCE= a compiler changes the path SOURCE/ke/bug.c to /ke/bug.c.  Only the disk can tell this
 * path from an absolute one: it is in the source tree if SOURCE has a regular file ke/bug.c.  The names are untrusted.
 * So the only thing that is looked up on the disk is whether such a file exists, and never for a name with a part "..".
 */
#ifndef TOOL_PATHS_H
#define TOOL_PATHS_H

#include "tool/counter.h"

#include <stdbool.h>
#include <stddef.h>

/* Limits that no real image reaches: the longest name in bytes, and the most names that are looked up on the disk.
   Names beyond them count as absolute, so that a hostile image cannot make a program look for ever. */
enum { TREE_NAME_LENGTH_MAX = 4096, TREE_NAMES_MAX = 1 << 16 };

/* All zeros is a valid tree without directories. */
struct tree {
	const char **roots;
	size_t root_count, root_room;
	/* NULL; or a function that returns whether the tree has NAME, for a process whose sandbox forbids to look at
	   the disk. */
	bool (*is_there)(void *context, const char *name);
	void *context;
	struct counter names; /* the names that were looked up; a name's count is 1 if the tree has it, else 0 */
	size_t looks;	      /* how many names were looked up, at most TREE_NAMES_MAX */
};

/* Add DIRECTORY to the directories of the source tree.  It is not copied.  False: no memory. */
bool tree_add_root(struct tree *tree, const char *directory);

/* Whether NAME begins with one slash and, without this slash, names a regular file below one of the directories.  Looks
   at the disk, or calls is_there(), only once for each name. */
bool tree_has_file(struct tree *tree, const char *name);

/* As tree_has_file(), but always look at the disk.  This is for the process that answers the is_there() of another
   process. */
bool tree_has_file_on_disk(const struct tree *tree, const char *name);

void tree_clear(struct tree *tree);

struct path_map {
	const char *from;
	size_t from_length; /* the length of `from` without trailing slashes */
	const char *to;	    /* NULL: remove `from` and the slash after it, so that the path becomes relative */
};

struct paths {
	const char *source_root; /* put this before relative paths; or NULL */
	struct path_map *maps;
	size_t map_count, map_room;
	struct tree tree; /* the directories that paths_add_root() has added */
	bool basenames;	  /* cut paths to their last part */
	char *buffer;	  /* memory for the last path that paths_shown_path() had to make, or NULL */
};

enum paths_status { PATHS_OK, PATHS_BAD_MAP, PATHS_NO_MEMORY };

/* Add a mapping "OLD=NEW", which is not copied.  PATHS_BAD_MAP: there is no "=", or OLD is empty. */
enum paths_status paths_add_map(struct paths *paths, const char *map);

/* Make paths below DIRECTORY relative to it.  These include paths from which a compiler has removed DIRECTORY but not
   the slash after it (see above).  The path of DIRECTORY itself does not change.  False: no memory. */
bool paths_add_root(struct paths *paths, const char *directory);

/* Returns the path to show for FILE: FILE itself, a part of it, or a buffer that is valid until the next call.  NULL:
   no memory.  Only the first ROSSYM_LENGTH_MAX bytes of FILE are read, and the caller should not show more. */
const char *paths_shown_path(struct paths *paths, const char *file);

/* Whether every path is shown unchanged. */
static inline bool paths_are_plain(const struct paths *paths)
{
	return paths->map_count == 0 && !paths->source_root && !paths->basenames;
}

/* paths_free_buffer() frees the buffer of paths_shown_path(); paths_clear() frees everything. */
void paths_free_buffer(struct paths *paths);
void paths_clear(struct paths *paths);

#endif
