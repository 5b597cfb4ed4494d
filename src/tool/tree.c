// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/tree.h"
#include "tool/array.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct tree_name {
	char *text;
	bool here;
};

bool tree_add_root(struct tree *tree, const char *directory)
{
	const char **roots = array_with_room(tree->roots, &tree->root_room, tree->root_count, sizeof *roots);
	if (!roots)
		return false;
	tree->roots = roots;
	roots[tree->root_count++] = directory;
	return true;
}

void tree_clear(struct tree *tree)
{
	for (size_t i = 0; i < tree->name_count; i++)
		free(tree->names[i].text);
	free(tree->names);
	free(tree->table.slots);
	free(tree->roots);
	*tree = (struct tree){ .roots = NULL };
}

/* ------------------------------------------------------------------------------------------------- the disk */

static bool has_parent_part(const char *name)
{
	for (const char *part = name; *part; part++)
		if ((part == name || tree_is_slash(part[-1])) && part[0] == '.' && part[1] == '.' &&
		    (part[2] == '\0' || tree_is_slash(part[2])))
			return true;
	return false;
}

/* Whether NAME begins with one slash, is not too long, and has no part "..", with which it could lead
   out of the tree. */
static bool may_be_in_tree(const char *name)
{
	return tree_is_slash(name[0]) && !tree_is_slash(name[1]) && memchr(name, '\0', TREE_NAME_LENGTH_MAX) &&
	       !has_parent_part(name);
}

static bool is_file_below(const char *root, const char *name)
{
	char path[2 * TREE_NAME_LENGTH_MAX];
	struct stat st;
	/* Skip the slash of NAME, which may be a backslash. */
	int length = snprintf(path, sizeof path, "%s/%s", root, name + 1);
	return length > 0 && (size_t)length < sizeof path && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool tree_look(const struct tree *tree, const char *name)
{
	if (!may_be_in_tree(name))
		return false;
	for (size_t i = 0; i < tree->root_count; i++)
		if (is_file_below(tree->roots[i], name))
			return true;
	return false;
}

/* ------------------------------------------------------------------------------------------------- answers */

/* Returns the hash of NAME.  Its seed is an address, which differs from run to run, so nobody can make names that all
   have the same hash. */
static uint32_t hash_tree_name(const struct tree *tree, const char *name)
{
	return (uint32_t)hash_bytes((uintptr_t)tree->roots, name, strlen(name));
}

/* Returns the slot of NAME, or the free slot in which to put it. */
static struct hash_slot *find_name_slot(const struct tree *tree, const char *name, uint32_t hash)
{
	uint32_t at = hash;
	struct hash_slot *slot;
	do
		slot = hash_next(&tree->table, hash, &at);
	while (slot->number && strcmp(tree->names[slot->number - 1].text, name) != 0);
	return slot;
}

/* Store the answer HERE for NAME in SLOT.  Without memory the name is looked up again the next time. */
static void store_answer(struct tree *tree, struct hash_slot *slot, const char *name, bool here)
{
	struct tree_name *names = array_with_room(tree->names, &tree->name_room, tree->name_count, sizeof *names);
	char *text = names ? strdup(name) : NULL;
	if (names)
		tree->names = names;
	if (!text)
		return;
	names[tree->name_count++] = (struct tree_name){ text, here };
	hash_put(&tree->table, slot, (uint32_t)tree->name_count, hash_tree_name(tree, name));
}

bool tree_has(struct tree *tree, const char *name)
{
	if (tree->root_count == 0 || !may_be_in_tree(name))
		return false;
	struct hash_slot *slot = hash_make_room(&tree->table, calloc, free)
					 ? find_name_slot(tree, name, hash_tree_name(tree, name))
					 : NULL;
	if (slot && slot->number)
		return tree->names[slot->number - 1].here;
	if (tree->disk_looks == TREE_NAMES_MAX)
		return false;
	bool here = tree->is_there ? tree->is_there(tree->context, name) : tree_look(tree, name);
	tree->disk_looks++;
	if (slot)
		store_answer(tree, slot, name, here);
	return here;
}
