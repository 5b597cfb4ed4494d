// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/paths.h"
#include "tool/array.h"
#include "tool/ascii.h"
#include "rossym.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ----------------------------------------------------------------------------- the directories of the source tree */

bool tree_add_root(struct tree *tree, const char *directory)
{
	if (!ARRAY_GROW(tree->roots, tree->root_room, tree->root_count))
		return false;
	tree->roots[tree->root_count++] = directory;
	return true;
}

void tree_clear(struct tree *tree)
{
	counter_clear(&tree->names);
	free(tree->roots);
	*tree = (struct tree){ .roots = NULL };
}

/* --------------------------------------------------------------------------- looking for a file on the disk */

/* Whether one of the parts of the path NAME is "..". */
static bool has_parent_part(const char *name)
{
	for (const char *part = name; *part; part++)
		if ((part == name || is_separator(part[-1])) && part[0] == '.' && part[1] == '.' &&
		    (part[2] == '\0' || is_separator(part[2])))
			return true;
	return false;
}

/* Whether NAME begins with one slash, is not too long, and has no part "..", which could lead out of the tree. */
static bool may_be_in_tree(const char *name)
{
	return is_separator(name[0]) && !is_separator(name[1]) && memchr(name, '\0', TREE_NAME_LENGTH_MAX) &&
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

bool tree_has_file_on_disk(const struct tree *tree, const char *name)
{
	if (!may_be_in_tree(name))
		return false;
	for (size_t i = 0; i < tree->root_count; i++)
		if (is_file_below(tree->roots[i], name))
			return true;
	return false;
}

bool tree_has_file(struct tree *tree, const char *name)
{
	if (tree->root_count == 0 || !may_be_in_tree(name))
		return false;
	const size_t length = strlen(name);
	const struct counter_entry *known = counter_find(&tree->names, name, length);
	if (known || tree->looks == TREE_NAMES_MAX)
		return known && known->count > 0;
	tree->looks++;
	const bool here = tree->is_there ? tree->is_there(tree->context, name) : tree_has_file_on_disk(tree, name);
	/* If there is no memory to store the answer, NAME is looked up again next time. */
	(void)counter_add(&tree->names, name, length, here, NULL);
	return here;
}

/* --------------------------------------------------------------------------------------- changing paths */

static bool has_drive(const char *path)
{
	return is_letter(path[0]) && path[1] == ':';
}

/* Add a mapping that replaces the path FROM, of LENGTH bytes, by the path TO.  Slashes at the end of FROM do not count.
   If TO is NULL, the mapping removes FROM (see struct path_map).  False: no memory. */
static bool add_mapping(struct paths *paths, const char *from, size_t length, const char *to)
{
	if (!ARRAY_GROW(paths->maps, paths->map_room, paths->map_count))
		return false;
	while (length > 1 && is_separator(from[length - 1]))
		length--;
	paths->maps[paths->map_count++] = (struct path_map){ from, length, to };
	return true;
}

enum paths_status paths_add_map(struct paths *paths, const char *map)
{
	const char *equals = strchr(map, '=');
	if (!equals || equals == map)
		return PATHS_BAD_MAP;
	return add_mapping(paths, map, (size_t)(equals - map), equals + 1) ? PATHS_OK : PATHS_NO_MEMORY;
}

bool paths_add_root(struct paths *paths, const char *directory)
{
	return *directory == '\0' ||
	       (add_mapping(paths, directory, strlen(directory), NULL) && tree_add_root(&paths->tree, directory));
}

/* Whether FILE is the path map->from, or a path below it.  "/" and "\" are equal, and so are a drive's letter in upper
   and in lower case. */
static bool is_mapped(const char *file, const struct path_map *map)
{
	bool drive = has_drive(map->from);
	for (size_t i = 0; i < map->from_length; i++) {
		char a = file[i], b = map->from[i];
		if (a == b && a)
			continue;
		if (is_separator(a) && is_separator(b))
			continue;
		if (i == 0 && drive && (a | 0x20) == (b | 0x20))
			continue;
		return false;
	}
	char next = file[map->from_length];
	return next == '\0' || is_separator(next) || is_separator(map->from[map->from_length - 1]);
}

/* Join FIRST and SECOND in paths->buffer, with one slash between them if neither is empty.  NULL: no memory. */
static const char *join_parts(struct paths *paths, const char *first, const char *second)
{
	size_t first_length = strlen(first), second_length = strnlen(second, ROSSYM_LENGTH_MAX);
	/* Avoid two slashes, and avoid one at the beginning if FIRST is empty, so that the path becomes relative. */
	if (is_separator(second[0]) && (first_length == 0 || is_separator(first[first_length - 1]))) {
		second++;
		second_length--;
	}
	bool slash = first_length && second_length && !is_separator(first[first_length - 1]) &&
		     !is_separator(second[0]);
	size_t size = first_length + slash + second_length + 1;
	char *joined = malloc(size);
	if (!joined)
		return NULL;
	memcpy(joined, first, first_length);
	if (slash)
		joined[first_length] = '/';
	memcpy(joined + first_length + slash, second, second_length);
	joined[size - 1] = '\0';
	free(paths->buffer);
	return paths->buffer = joined;
}

/* Write "/" and the relative path FROM into the buffer TO, of strlen(FROM) + 2 bytes.  Leaves out each part ".", and
   each ".." with the part before it.  Returns false if a ".." has no part before it. */
static bool normalize_path(char *to, const char *from)
{
	size_t length = 0;
	while (*from) {
		size_t part = strcspn(from, "/\\");
		if (part == 2 && memcmp(from, "..", 2) == 0) {
			if (length == 0)
				return false;
			while (to[--length] != '/')
				;
		} else if (part > 1 || (part == 1 && *from != '.')) {
			to[length++] = '/';
			memcpy(to + length, from, part);
			length += part;
		}
		from += part + (from[part] != '\0');
	}
	to[length] = '\0';
	return true;
}

/* Remove the parts ".." from NAME, a path relative to the source tree: "a/../b" becomes "b".  Returns the result if the
   tree has a file of that name, else NAME.  NULL: no memory. */
static const char *remove_parent_parts(struct paths *paths, const char *name)
{
	if (!strstr(name, "..") || strnlen(name, TREE_NAME_LENGTH_MAX) == TREE_NAME_LENGTH_MAX)
		return name;
	char *normal = malloc(strlen(name) + 2);
	if (!normal)
		return NULL;
	if (!normalize_path(normal, name) || !tree_has_file(&paths->tree, normal)) {
		free(normal);
		return name;
	}
	free(paths->buffer);
	paths->buffer = normal;
	return normal + 1;
}

/* Returns what MAP makes of FILE, for which is_mapped() is true.  NULL: no memory. */
static const char *apply_map(struct paths *paths, const struct path_map *map, const char *file)
{
	const char *rest = file + map->from_length;
	if (map->to)
		return join_parts(paths, map->to, rest);
	while (is_separator(*rest))
		rest++;
	return *rest ? remove_parent_parts(paths, rest) : file;
}

/* If FILE begins with a slash, but is relative to the source tree (the head of paths.h says how that happens), returns
   it without this slash and without its parts "..".  Else returns FILE.  NULL: no memory. */
static const char *strip_tree_slash(struct paths *paths, const char *file)
{
	if (tree_has_file(&paths->tree, file))
		return file + 1;
	if (paths->tree.root_count == 0 || !is_separator(file[0]) || is_separator(file[1]))
		return file;
	const char *name = remove_parent_parts(paths, file + 1);
	return name == file + 1 ? file : name;
}

/* Returns FILE, changed by the first mapping that matches it, or else by strip_tree_slash().  NULL: no memory. */
static const char *apply_mappings(struct paths *paths, const char *file)
{
	for (size_t i = 0; i < paths->map_count; i++)
		if (is_mapped(file, &paths->maps[i]))
			return apply_map(paths, &paths->maps[i], file);
	return strip_tree_slash(paths, file);
}

const char *paths_shown_path(struct paths *paths, const char *file)
{
	file = apply_mappings(paths, file);
	if (file && paths->source_root && !is_separator(file[0]) && !has_drive(file))
		file = join_parts(paths, paths->source_root, file);
	/* Only "/" counts as a slash, on Windows too, as for GNU addr2line. */
	for (size_t i = file && paths->basenames ? strnlen(file, ROSSYM_LENGTH_MAX) : 0; i > 0; i--)
		if (file[i - 1] == '/')
			return file + i;
	return file;
}

void paths_free_buffer(struct paths *paths)
{
	free(paths->buffer);
	paths->buffer = NULL;
}

void paths_clear(struct paths *paths)
{
	paths_free_buffer(paths);
	free(paths->maps);
	tree_clear(&paths->tree);
}
