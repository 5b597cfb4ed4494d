// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/paths.h"
#include "tool/array.h"
#include "tool/ascii.h"
#include "rossym.h"

#include <stdlib.h>
#include <string.h>

static bool has_drive(const char *path)
{
	char c = path[0] | 0x20;
	return c >= 'a' && c <= 'z' && path[1] == ':';
}

/* Add a mapping from the LENGTH bytes at FROM, less slashes at their end, to TO; see struct
   path_map.  False: no memory. */
static bool add_mapping(struct paths *paths, const char *from, size_t length, const char *to)
{
	struct path_map *maps = array_with_room(paths->maps, &paths->map_room, paths->map_count, sizeof *maps);
	if (!maps)
		return false;
	paths->maps = maps;
	while (length > 1 && tree_is_slash(from[length - 1]))
		length--;
	maps[paths->map_count++] = (struct path_map){ from, length, to };
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
		if (tree_is_slash(a) && tree_is_slash(b))
			continue;
		if (i == 0 && drive && (a | 0x20) == (b | 0x20))
			continue;
		return false;
	}
	char next = file[map->from_length];
	return next == '\0' || tree_is_slash(next) || tree_is_slash(map->from[map->from_length - 1]);
}

/* Join FIRST and SECOND in the buffer, with one slash between them if neither is empty. */
static const char *join_parts(struct paths *paths, const char *first, const char *second)
{
	size_t first_length = strlen(first), second_length = strnlen(second, ROSSYM_LENGTH_MAX);
	/* Avoid two slashes, and avoid one at the beginning if FIRST is empty, so that the path becomes relative. */
	if (tree_is_slash(second[0]) && (first_length == 0 || tree_is_slash(first[first_length - 1]))) {
		second++;
		second_length--;
	}
	bool slash = first_length && second_length && !tree_is_slash(first[first_length - 1]) &&
		     !tree_is_slash(second[0]);
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

/* Write "/" and the relative path FROM to TO, which has strlen(FROM) + 2 bytes.  Leaves out each part ".", and each
   ".." with the part before it.  False: a ".." has no part before it. */
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
static const char *find_in_tree(struct paths *paths, const char *name)
{
	if (!strstr(name, "..") || strnlen(name, TREE_NAME_LENGTH_MAX) == TREE_NAME_LENGTH_MAX)
		return name;
	char *normal = malloc(strlen(name) + 2);
	if (!normal)
		return NULL;
	if (!normalize_path(normal, name) || !tree_has(&paths->tree, normal)) {
		free(normal);
		return name;
	}
	free(paths->buffer);
	paths->buffer = normal;
	return normal + 1;
}

/* Apply MAP to FILE, for which is_mapped() is true. */
static const char *apply_map(struct paths *paths, const struct path_map *map, const char *file)
{
	const char *rest = file + map->from_length;
	if (map->to)
		return join_parts(paths, map->to, rest);
	while (tree_is_slash(*rest))
		rest++;
	return *rest ? find_in_tree(paths, rest) : file;
}

/* If FILE is a path relative to the source tree that begins with a slash (tree.h), returns it without this slash and
   without its parts "..".  Else returns FILE.  NULL: no memory. */
static const char *strip_slash(struct paths *paths, const char *file)
{
	if (tree_has(&paths->tree, file))
		return file + 1;
	if (paths->tree.root_count == 0 || !tree_is_slash(file[0]) || tree_is_slash(file[1]))
		return file;
	const char *name = find_in_tree(paths, file + 1);
	return name == file + 1 ? file : name;
}

/* Apply the first mapping for which is_mapped() is true; without one, see strip_slash(). */
static const char *apply_mappings(struct paths *paths, const char *file)
{
	for (size_t i = 0; i < paths->map_count; i++)
		if (is_mapped(file, &paths->maps[i]))
			return apply_map(paths, &paths->maps[i], file);
	return strip_slash(paths, file);
}

const char *paths_show(struct paths *paths, const char *file)
{
	file = apply_mappings(paths, file);
	if (file && paths->source_root && !tree_is_slash(file[0]) && !has_drive(file))
		file = join_parts(paths, paths->source_root, file);
	/* Only "/" counts as a slash, on Windows too, as for GNU addr2line. */
	for (size_t i = file && paths->basenames ? strnlen(file, ROSSYM_LENGTH_MAX) : 0; i > 0; i--)
		if (file[i - 1] == '/')
			return file + i;
	return file;
}

void paths_forget(struct paths *paths)
{
	free(paths->buffer);
	paths->buffer = NULL;
}

void paths_clear(struct paths *paths)
{
	paths_forget(paths);
	free(paths->maps);
	tree_clear(&paths->tree);
}
