// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/companions.h"
#include "log/chars.h"
#include "tool/debug-names.h"
#include "tool/text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* What one search needs. */
struct search {
	struct companions *companions;
	struct index *index;
	const struct file *image;
	struct text path;		/* scratch */
	bool no_memory;
};

/* The path of FILE where it is: in its archive, or in the file system. */
static const char *path_of(const struct file *file)
{
	return file->inside ? file->inside : file->path;
}

/* The length of the directory of PATH, with its last separator. */
static size_t directory_of(const char *path)
{
	size_t length = strlen(path);
	return (size_t)(base_name(path, &length) - path);
}

static bool are_in_one_archive(const struct file *a, const struct file *b)
{
	return a->inside && b->inside && a->place.archive == b->place.archive && strcmp(a->path, b->path) == 0;
}

static bool is_same(const struct file *a, const struct file *b)
{
	return a == b || (strcmp(path_of(a), path_of(b)) == 0 && ((!a->inside && !b->inside) || are_in_one_archive(a, b)));
}

static bool has_room(const struct search *search)
{
	return search->companions->count < COMPANIONS_MOST && !search->no_memory;
}

static void take(struct search *search, const struct file *file)
{
	struct companions *companions = search->companions;
	bool known = is_same(file, search->image);
	for (unsigned i = 0; i < companions->count; i++)
		known |= is_same(file, companions->files[i]);
	if (!known && has_room(search))
		companions->files[companions->count++] = file;
}

/* ------------------------------------------------------------------------------------------- in the file system */

/* Take the regular file that is called NAME below the first LENGTH bytes of DIRECTORY, if there is one. */
static void try_file(struct search *search, const char *directory, size_t length, const char *name)
{
	struct stat st;
	struct text *path = &search->path;
	path->length = 0;
	text_add_bytes(path, directory, length);
	if (length > 0 && !strchr("/\\", directory[length - 1]))
		text_add_char(path, '/');
	text_add(path, name);
	search->no_memory |= path->no_memory;
	if (search->no_memory || !has_room(search) || stat(path->bytes, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	const struct file *file = index_other(search->index, path->bytes);
	search->no_memory |= !file;
	if (file)
		take(search, file);
}

static void try_beside(struct search *search, const char *name)
{
	const char *path = search->image->path;
	char below[DEBUG_NAME_LONGEST + 16];
	for (const char *const *place = debug_names_beside; *place && name[0] && !search->image->inside; place++) {
		snprintf(below, sizeof below, "%s%s", *place, name);
		try_file(search, path, directory_of(path), below);
	}
}

static void try_places(struct search *search, const struct debug_name *name)
{
	for (size_t i = 0; i < search->index->place_count; i++) {
		const char *place = search->index->places[i];
		if (name->name[0])
			try_file(search, place, strlen(place), name->name);
		if (name->store[0])
			try_file(search, place, strlen(place), name->store);
	}
}

/* ------------------------------------------------------------------------------------------------- in the index */

static bool ends_with(const char *path, const char *end)
{
	size_t length = strlen(path), part = strlen(end);
	return length >= part && strcasecmp(path + length - part, end) == 0;
}

/* Whether PATH is where symbol stores have a file: NAME/KEY/NAME. */
static bool is_in_store(const char *path, const char *name)
{
	size_t key = directory_of(path), length = strlen(name);
	while (key > 0 && path[key - 1] == '/')
		key--;
	while (key > 0 && path[key - 1] != '/')
		key--;
	return key > length && strncasecmp(path + key - 1 - length, name, length) == 0 &&
	       (key == length + 1 || path[key - 2 - length] == '/');
}

/* Whether FILE is beside the image, both in one archive. */
static bool is_beside(const struct search *search, const struct file *file, const char *name)
{
	const char *image = search->image->inside;
	size_t directory = image ? directory_of(image) : 0;
	if (!are_in_one_archive(file, search->image) || strncasecmp(file->inside, image, directory) != 0)
		return false;
	for (const char *const *place = debug_names_beside; *place; place++) {
		const char *rest = file->inside + directory;
		if (strncasecmp(rest, *place, strlen(*place)) == 0 && strcasecmp(rest + strlen(*place), name) == 0)
			return true;
	}
	return false;
}

/* Whether PATH is in a directory "symbols".  ReactOS's builds with SEPARATE_DBG have the debug files of all modules in one. */
static bool is_in_symbols(const char *path)
{
	static const char symbols[] = "/symbols/";
	size_t end = directory_of(path), length = sizeof symbols - 1;
	return end >= length ? strncasecmp(path + end - length, symbols, length) == 0
			     : end == length - 1 && strncasecmp(path, symbols + 1, end) == 0;
}

/* Whether FILE, which has the right name and is anywhere, may be the image's.  Files that are called like the image are mostly other
   builds of it, but for those in a directory of debug files.  In a symbol store only the key of the image counts. */
static bool may_be_anywhere(const struct search *search, const struct file *file, const struct debug_name *name)
{
	return (strcasecmp(name->name, search->image->name) != 0 || is_in_symbols(path_of(file))) &&
	       (!name->store[0] || !is_in_store(path_of(file), name->name) || ends_with(path_of(file), name->store));
}

static void try_index(struct search *search, const struct debug_name *name)
{
	char lower[DEBUG_NAME_LONGEST + 1];
	size_t count, length = 0;
	for (; name->name[length]; length++)
		lower[length] = to_lower(name->name[length]);
	lower[length] = '\0';
	struct file **files = length > 0 ? index_find(search->index, lower, length + 1, &count) : NULL;
	for (size_t i = 0; files && i < count; i++)
		if (is_beside(search, files[i], name->name))
			take(search, files[i]);
	for (size_t i = 0; files && i < count; i++)
		if (may_be_anywhere(search, files[i], name))
			take(search, files[i]);
}

bool companions_find(struct companions *companions, struct index *index, const struct file *file, struct rossym_image *image)
{
	struct search search = { .companions = companions, .index = index, .image = file };
	struct debug_names names;
	debug_names_make(&names, image, path_of(file));
	companions->count = 0;
	for (unsigned i = 0; i < names.count && has_room(&search); i++) {
		try_beside(&search, names.items[i].name);
		try_places(&search, &names.items[i]);
		try_index(&search, &names.items[i]);
	}
	text_clear(&search.path);
	return !search.no_memory;
}
