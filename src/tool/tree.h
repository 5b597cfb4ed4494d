/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - recognise names that are relative to the source tree, although they begin with a slash
 *
 * With -fdebug-prefix-map=SOURCE= a compiler changes the name SOURCE/ke/bug.c to /ke/bug.c.  Only the disk can tell
 * this name from an absolute one: it belongs to the source tree if SOURCE has a regular file ke/bug.c.  Names come from
 * strangers, so this is the only question that is asked of the disk, and never with a name that contains "..".
 */
#ifndef TOOL_TREE_H
#define TOOL_TREE_H

#include "compat/hash.h"

#include <stdbool.h>
#include <stddef.h>

/* Limits that no real image reaches.  Names beyond them count as absolute, so that a hostile image cannot ask
   for ever. */
enum { TREE_LONGEST_NAME = 4096, TREE_MOST_NAMES = 1 << 16 };

struct tree_name;

/* All zeros is a valid tree without directories. */
struct tree {
	const char **roots;
	size_t root_count, root_room;
	/* If not NULL, called instead of looking at the disk, in a process that has no right to look: whether the tree
	   has NAME. */
	bool (*is_there)(void *context, const char *name);
	void *context;
	struct tree_name *names; /* with the answers so far */
	size_t name_count, name_room, disk_looks;
	struct hash_table table; /* of them */
};

static inline bool tree_is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Add DIRECTORY, which is not copied.  False: no memory. */
bool tree_add_root(struct tree *tree, const char *directory);

/* Whether NAME begins with one slash and, without the slash, names a regular file below one of the directories.  Looks
   at the disk, or calls is_there(), only once for each name. */
bool tree_has(struct tree *tree, const char *name);

/* As tree_has(), always from the disk. */
bool tree_look(const struct tree *tree, const char *name);

void tree_clear(struct tree *tree);

#endif
