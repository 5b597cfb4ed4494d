/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tree.h - names that a compiler made relative to the source tree, but for a slash
 *
 * With -fdebug-prefix-map=SOURCE= the name SOURCE/ke/bug.c becomes /ke/bug.c.  Only the disk can tell that from an absolute
 * name: it is one of the source tree if it is that of a regular file there.  Names come from strangers, so nothing but
 * this one question is asked, and of names that hold no ".." only.
 */
#ifndef TOOL_TREE_H
#define TOOL_TREE_H

#include <stdbool.h>
#include <stddef.h>

/* No image has so many names.  Those beyond are taken for absolute, so that asking cannot take for ever. */
enum { TREE_LONGEST_NAME = 4096, TREE_MOST_NAMES = 1 << 16 };

struct tree_name;

/* All zeros: no directory. */
struct tree {
	const char **roots;
	size_t root_count;
	/* Who is asked instead of the disk, by a process that may not look there; or NULL. */
	bool (*ask)(void *context, const char *name);
	void *context;
	struct tree_name *slots;	/* the answers so far */
	size_t slot_count, name_count, asked;
};

static inline bool tree_is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* DIRECTORY must stay in place.  False: no memory. */
bool tree_add_root(struct tree *tree, const char *directory);

/* Whether NAME begins with one slash and without it is the name of a file below one of the directories.  The disk is asked
   once for each name. */
bool tree_has(struct tree *tree, const char *name);

/* The same, from the disk. */
bool tree_look(const struct tree *tree, const char *name);

void tree_clear(struct tree *tree);

#endif
