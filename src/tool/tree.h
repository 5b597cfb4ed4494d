/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - recognises paths that are relative to the source tree, although they begin with a slash
 *
 * With -fdebug-prefix-map=SOURCE= a compiler changes the path SOURCE/ke/bug.c to /ke/bug.c.  Only the disk can tell
 * this path from an absolute one: it is in the source tree if SOURCE has a regular file ke/bug.c.  The names are
 * untrusted, so nothing is asked of the disk but whether such a file exists, and a name with a part ".." is never
 * looked up.
 */
#ifndef TOOL_TREE_H
#define TOOL_TREE_H

#include "compat/hash.h"

#include <stdbool.h>
#include <stddef.h>

/* Limits that no real image reaches: the longest name in bytes, and the most names that are looked up on the disk.
   Names beyond them count as absolute, so that a hostile image cannot make a program look for ever. */
enum { TREE_NAME_LENGTH_MAX = 4096, TREE_NAMES_MAX = 1 << 16 };

struct tree_name;

/* All zeros is a valid tree without directories. */
struct tree {
	const char **roots;
	size_t root_count, root_room;
	/* Returns whether the tree has NAME.  A process whose sandbox does not let it look at the disk sets this; NULL:
	   look at the disk. */
	bool (*is_there)(void *context, const char *name);
	void *context;
	struct tree_name *names; /* a cache of answers */
	size_t name_count, name_room;
	size_t disk_looks; /* how many names were looked up on the disk or by is_there(), at most TREE_NAMES_MAX */
	struct hash_table table; /* finds names: its numbers are indexes of `names`, plus 1 */
};

static inline bool tree_is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Add DIRECTORY, which is not copied.  False: no memory. */
bool tree_add_root(struct tree *tree, const char *directory);

/* Whether NAME begins with one slash and, without this slash, names a regular file below one of the directories.  Looks
   at the disk, or calls is_there(), only once for each name. */
bool tree_has(struct tree *tree, const char *name);

/* As tree_has(), but always look at the disk: for the process that answers is_there() of another process. */
bool tree_look(const struct tree *tree, const char *name);

void tree_clear(struct tree *tree);

#endif
