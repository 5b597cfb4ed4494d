// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/debug-files.h"
#include "log/read/chars.h"
#include "search/debug-names.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* A search for the debug files of one image. */
struct search {
	struct debug_files *debug_files;
	struct index *index;
	const struct file *image;
	bool no_memory;
};

/* Returns the path of FILE in its archive if it is in one; else its path in the file system. */
static const char *get_path(const struct file *file)
{
	return file->inside ? file->inside : file->path;
}

/* Returns the length of the directory of PATH, with the separator at its end. */
static size_t find_directory_length(const char *path)
{
	size_t length = strlen(path);
	return (size_t)(base_name(path, &length) - path);
}

static bool are_in_one_archive(const struct file *a, const struct file *b)
{
	return a->inside && b->inside && a->place.archive == b->place.archive && strcmp(a->path, b->path) == 0;
}

static bool is_same_file(const struct file *a, const struct file *b)
{
	return a == b ||
	       (strcmp(get_path(a), get_path(b)) == 0 && ((!a->inside && !b->inside) || are_in_one_archive(a, b)));
}

static bool has_room(const struct search *search)
{
	return search->debug_files->count < DEBUG_FILES_MAX && !search->no_memory;
}

/* Add FILE, if there is room, unless it is the image itself or was added before. */
static void add_file(struct search *search, const struct file *file)
{
	struct debug_files *debug_files = search->debug_files;
	bool known = is_same_file(file, search->image);
	for (unsigned i = 0; i < debug_files->count; i++)
		known |= is_same_file(file, debug_files->files[i]);
	if (!known && has_room(search))
		debug_files->files[debug_files->count++] = file;
}

/* ------------------------------------------------------------------------------- debug files in the file system */

/* Add the file at PATH, if it is a regular file and there is room. */
static void add_path_if_file(void *context, const char *path)
{
	struct search *search = context;
	struct stat st;
	if (!has_room(search) || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	const struct file *file = index_get_outside_file(search->index, path);
	search->no_memory |= !file;
	if (file)
		add_file(search, file);
}

/* ------------------------------------------------------------------------------------- debug files in the index */

/* Whether FILE is called NAME and is in the archive of the image: in the directory of the image there, or in one below
   it that rs_debug_names_beside lists. */
static bool is_beside_image(const struct search *search, const struct file *file, const char *name)
{
	const char *image = search->image->inside;
	size_t directory = image ? find_directory_length(image) : 0;
	if (!are_in_one_archive(file, search->image) || strncasecmp(file->inside, image, directory) != 0)
		return false;
	for (const char *const *place = rs_debug_names_beside; *place; place++) {
		const char *rest = file->inside + directory;
		if (strncasecmp(rest, *place, strlen(*place)) == 0 && strcasecmp(rest + strlen(*place), name) == 0)
			return true;
	}
	return false;
}

/* Whether PATH is in a directory "symbols".  Builds of ReactOS with the option SEPARATE_DBG have the debug files of all
   modules there. */
static bool is_in_symbols(const char *path)
{
	static const char symbols[] = "/symbols/";
	size_t end = find_directory_length(path), length = sizeof symbols - 1;
	return end >= length ? strncasecmp(path + end - length, symbols, length) == 0
			     : end == length - 1 && strncasecmp(path, symbols + 1, end) == 0;
}

/* Whether FILE, which is called NAME and is anywhere in the index, may be a debug file of the image.  A file with
   the same name as the image is usually another build of the image, unless it is in a directory of debug files.  In a
   symbol store, the key must be that of the image. */
static bool may_be_debug_file(const struct search *search, const struct file *file, const struct debug_name *name)
{
	const char *path = get_path(file);
	size_t end, key = file_find_store_key(path, &end), length = strlen(name->key);
	return (strcasecmp(name->name, search->image->name) != 0 || is_in_symbols(path)) &&
	       (key == 0 || length == 0 || (end - key == length && strncasecmp(path + key, name->key, length) == 0));
}

/* Add the files of the index that are called NAME, those in the directory of the image first. */
static void add_files_of_index(struct search *search, const struct debug_name *name)
{
	size_t count;
	struct file **files = *name->name ? index_find(search->index, name->name, strlen(name->name) + 1, &count)
					  : NULL;
	for (size_t i = 0; files && i < count; i++)
		if (is_beside_image(search, files[i], name->name))
			add_file(search, files[i]);
	for (size_t i = 0; files && i < count; i++)
		if (may_be_debug_file(search, files[i], name))
			add_file(search, files[i]);
}

/* Returns the length of NAME without its extension. */
static size_t find_stem_length(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot ? (size_t)(dot - name) : strlen(name);
}

/* Whether the file at PATH and the image have the same name without the extension. */
static bool has_stem_of_image(const struct search *search, const char *path)
{
	const char *image = search->image->name;
	size_t length = strlen(path);
	const char *name = base_name(path, &length);
	const size_t stem = find_stem_length(name);
	return stem == find_stem_length(image) && strncasecmp(name, image, stem) == 0;
}

/* Add those debug files that the user named, and whose names differ from the name of the image in the extension only.
   If OTHERS is true, add instead the other debug files that the user named. */
static void add_files_of_user(struct search *search, bool others)
{
	const struct index *index = search->index;
	for (size_t i = 0; i < index->debug_files.count; i++)
		if (has_stem_of_image(search, index->debug_files.items[i]) != others)
			add_path_if_file(search, index->debug_files.items[i]);
}

bool debug_files_find(struct debug_files *debug_files, struct index *index, const struct file *file,
		      struct rossym_image *image)
{
	struct search search = { .debug_files = debug_files, .index = index, .image = file };
	/* In the first places (exact_count), names that differ in case are not searched for: the index has all files
	   of these places, so add_files_of_index() finds such names. */
	struct debug_search where = { .image = file->inside ? NULL : file->path,
				      .directories = (const char *const *)index->places.items,
				      .directory_count = index->places.count,
				      .exact_count = index->whole_count,
				      .listings = &index->listings,
				      .take = add_path_if_file,
				      .context = &search };
	struct debug_names names;
	rs_debug_names_make(&names, image, get_path(file));
	debug_files->count = 0;
	add_files_of_user(&search, false);
	if (file->order == 0 && !file->outside) /* the user named image and debug files: they may belong together */
		add_files_of_user(&search, true);
	for (unsigned i = 0; i < names.count && has_room(&search); i++) {
		search.no_memory |= !rs_debug_search_for_name(&where, &names.items[i]);
		add_files_of_index(&search, &names.items[i]);
	}
	return !search.no_memory;
}
