// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/tree.h"
#include "compat/hash.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIRST_SLOTS = 256 };

struct tree_name {
	char *text; /* NULL: the slot is free */
	bool here;
};

bool tree_add_root(struct tree *tree, const char *directory)
{
	const char **roots = realloc(tree->roots, (tree->root_count + 1) * sizeof *roots);
	if (!roots)
		return false;
	tree->roots = roots;
	roots[tree->root_count++] = directory;
	return true;
}

void tree_clear(struct tree *tree)
{
	for (size_t i = 0; i < tree->slot_count; i++)
		free(tree->slots[i].text);
	free(tree->slots);
	free(tree->roots);
	*tree = (struct tree){ .roots = NULL };
}

/* ------------------------------------------------------------------------------------------------- the disk */

/* Whether a part of NAME is "..". */
static bool has_parent_part(const char *name)
{
	for (const char *part = name; *part; part++)
		if ((part == name || tree_is_slash(part[-1])) && part[0] == '.' && part[1] == '.' &&
		    (part[2] == '\0' || tree_is_slash(part[2])))
			return true;
	return false;
}

/* Whether NAME has the form that is asked for: one slash at its beginning, not too long, and no "..", so that it cannot
   lead out of the tree. */
static bool may_be_here(const char *name)
{
	return tree_is_slash(name[0]) && !tree_is_slash(name[1]) && memchr(name, '\0', TREE_LONGEST_NAME) &&
	       !has_parent_part(name);
}

/* Whether ROOT has a regular file NAME. */
static bool is_file_below(const char *root, const char *name)
{
	char path[2 * TREE_LONGEST_NAME];
	struct stat st;
	/* Skip the slash of NAME, which may be a backslash. */
	int length = snprintf(path, sizeof path, "%s/%s", root, name + 1);
	return length > 0 && (size_t)length < sizeof path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool tree_look(const struct tree *tree, const char *name)
{
	if (!may_be_here(name))
		return false;
	for (size_t i = 0; i < tree->root_count; i++)
		if (is_file_below(tree->roots[i], name))
			return true;
	return false;
}

/* ------------------------------------------------------------------------------------------------- answers */

/* The seed is an address, so nobody can choose names that all have the same hash. */
static size_t hash_of(const struct tree *tree, const char *name)
{
	return (size_t)hash_bytes((uintptr_t)tree->roots, name, strlen(name));
}

/* The slot of NAME, or the free slot where it belongs.  At least one slot must be free. */
static struct tree_name *find(const struct tree *tree, struct tree_name *slots, size_t count, const char *name)
{
	size_t at = hash_of(tree, name) & (count - 1);
	while (slots[at].text && strcmp(slots[at].text, name) != 0)
		at = (at + 1) & (count - 1);
	return &slots[at];
}

/* Double the slots.  At most half of them are in use, so that a search soon meets a free one. */
static bool grow(struct tree *tree)
{
	size_t count = tree->slot_count ? tree->slot_count * 2 : FIRST_SLOTS;
	struct tree_name *slots = calloc(count, sizeof *slots);
	if (!slots)
		return false;
	for (size_t i = 0; i < tree->slot_count; i++)
		if (tree->slots[i].text)
			*find(tree, slots, count, tree->slots[i].text) = tree->slots[i];
	free(tree->slots);
	tree->slots = slots;
	tree->slot_count = count;
	return true;
}

/* The slot for NAME, or NULL if there is not enough memory to keep answers. */
static struct tree_name *slot_for(struct tree *tree, const char *name)
{
	if (tree->name_count >= tree->slot_count / 2 && !grow(tree))
		return NULL;
	return find(tree, tree->slots, tree->slot_count, name);
}

/* Keep the answer for NAME.  Without memory it is asked again the next time. */
static void keep(struct tree *tree, struct tree_name *slot, const char *name, bool here)
{
	size_t size = strlen(name) + 1;
	char *text = malloc(size);
	if (!text)
		return;
	memcpy(text, name, size);
	*slot = (struct tree_name){ text, here };
	tree->name_count++;
}

bool tree_has(struct tree *tree, const char *name)
{
	if (tree->root_count == 0 || !may_be_here(name))
		return false;
	struct tree_name *slot = slot_for(tree, name);
	if (slot && slot->text)
		return slot->here;
	if (tree->asked == TREE_MOST_NAMES)
		return false;
	bool here = tree->is_there ? tree->is_there(tree->context, name) : tree_look(tree, name);
	tree->asked++;
	if (slot)
		keep(tree, slot, name, here);
	return here;
}
