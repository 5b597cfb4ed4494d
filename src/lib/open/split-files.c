// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * split-files.c - opens the files that hold the rest of an image's debug information, after gcc -gsplit-dwarf
 *
 * The image has the paths of these files, but it is not trusted: only the last part of a path is used, and only in the
 * directory of the image and in those that the user named.
 */
#include "config.h"
#include "lib/open/debug-files.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/sort.h"
#include "search/debug-names.h"
#include "search/path.h"

#include <string.h>

/* ------------------------------------------------------------------------------------------------ names */

void rs_split_names_add(void *context, const char *name)
{
	struct rs_split_names *names = context;
	char *copy;
	if (names->count == RS_SPLIT_NAMES_MAX || !rs_debug_name_is_plain(name))
		return;
	copy = rs_copy_text(name);
	if (!copy || rs_array_grow(&names->items, &names->room, names->count, sizeof *names->items) < 0) {
		rs_free(copy);
		names->no_memory = true;
		return;
	}
	names->items[names->count++] = copy;
}

void rs_split_names_clear(struct rs_split_names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		rs_free(names->items[i]);
	rs_free(names->items);
	*names = (struct rs_split_names){ .count = 0 };
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ------------------------------------------------------------------------------------------------ directories */

/* A search for files with split DWARF. */
struct split_search {
	struct rs_debug_files *files;
	const struct rs_debug_places *places;
	struct rossym_error *err;
	const char *name; /* of the file */
};

static int open_entry(const struct split_search *search, const char *directory, const char *name)
{
	char *path = rs_entry_path(directory, name);
	const int result = path ? rs_debug_files_open_split(search->files, path, search->places, search->err)
				: rs_fail_memory(search->err);
	rs_free(path);
	return result;
}

static int open_named_entry(const struct split_search *search, const char *directory)
{
	return open_entry(search, directory, search->name);
}

static int open_all_entries(const struct split_search *search, const char *directory)
{
	const struct dirent *entry;
	int result = 0;
	DIR *open = opendir(directory[0] ? directory : ".");
	while (open && result == 0 && search->files->count < RS_SPLIT_FILES_MAX &&
	       (entry = rs_entry_next(open)) != NULL)
		if (rs_debug_files_is_split(entry->d_name))
			result = open_entry(search, directory, entry->d_name);
	if (open)
		closedir(open);
	return result;
}

/* Call STEP for the directory of the image and for each directory of the search, until it does not return 0.  Returns its
   last result. */
static int for_each_directory(const struct split_search *search,
			      int (*step)(const struct split_search *search, const char *directory))
{
	const struct rs_debug_places *places = search->places;
	int result = 0;
	if (places->image) {
		const size_t before = (size_t)(rs_path_base(places->image) - places->image);
		char *directory = rs_alloc(before + 1, 1);
		if (!directory)
			return rs_fail_memory(search->err);
		memcpy(directory, places->image, before);
		result = step(search, directory);
		rs_free(directory);
	}
	for (size_t i = 0; i < places->directory_count && result == 0; i++)
		result = step(search, places->directories[i]);
	return result;
}

/* ------------------------------------------------------------------------------------------------ files */

static int open_files_named(struct split_search *search, const char *name)
{
	const struct rs_debug_places *places = search->places;
	struct rossym_debug_file file = { .fd = -1 };
	search->name = name;
	if (!places->find_split)
		return for_each_directory(search, open_named_entry);
	for (size_t i = 0; places->find_split(places->find_context, name, i, &file) > 0; i++) {
		if (rs_debug_files_add(search->files, &file, search->err) < 0)
			return -1;
		file = (struct rossym_debug_file){ .fd = -1 };
	}
	return 0;
}

/* Open the packages, files that have all .dwo files of an image: for the image X.EXE, X.EXE.dwp and X.dwp. */
static int open_packages(struct split_search *search)
{
	const char *image = search->places->image, *base = image ? rs_path_base(image) : "", *dot = strrchr(base, '.');
	const size_t lengths[] = { strlen(base), dot ? (size_t)(dot - base) : 0 };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		char name[DEBUG_NAME_LENGTH_MAX + sizeof ".dwp"];
		if (lengths[i] == 0 || lengths[i] > DEBUG_NAME_LENGTH_MAX)
			continue;
		memcpy(name, base, lengths[i]);
		memcpy(name + lengths[i], ".dwp", sizeof ".dwp");
		if (open_files_named(search, name) < 0)
			return -1;
	}
	return 0;
}

int rs_split_files_open(struct rs_debug_files *files, struct rs_split_names *names,
			const struct rs_debug_places *places, struct rossym_error *err)
{
	struct split_search search = { .files = files, .places = places, .err = err };
	int result = names->no_memory ? rs_fail_memory(err) : 0;
	rs_sort(names->items, names->count, sizeof *names->items, compare_names);
	for (uint32_t i = 0; i < names->count && result == 0; i++)
		if (i == 0 || strcmp(names->items[i], names->items[i - 1]) != 0)
			result = open_files_named(&search, names->items[i]);
	if (result == 0)
		result = open_packages(&search);
	return result < 0 ? -1 : rs_debug_files_load(files, places, err);
}

int rs_split_files_open_all(struct rs_debug_files *files, const struct rs_debug_places *places,
			    struct rossym_error *err)
{
	const struct split_search search = { .files = files, .places = places, .err = err };
	return for_each_directory(&search, open_all_entries);
}

static int compare_last_parts(const void *a, const void *b)
{
	const struct debuginfo_file *left = a, *right = b;
	return strcmp(rs_path_base(left->path), rs_path_base(right->path));
}

void rs_split_files_sort(struct rs_debug_files *files)
{
	rs_sort(files->items, files->count, sizeof *files->items, compare_last_parts);
}
