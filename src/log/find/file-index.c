// SPDX-License-Identifier: GPL-2.0-or-later
/* file-index.c - an array of files, sorted by name once all have been added */
#include "config.h"
#include "log/find/file-index.h"
#include "log/read/chars.h"
#include "search/debug-names.h"
#include "search/path.h"
#include "tool/files/file.h"
#include "tool/array.h"
#include "compat/bisect.h"
#include "tool/diag.h"
#include "tool/mask.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH_MAX = 64 }; /* levels of directories that are read; no source or build tree has more */

static void free_file(struct file *file)
{
	if (!file)
		return;
	free(file->path);
	free(file->inside);
	free(file->name);
	free(file->label);
	free(file);
}

/* Returns a new struct file for PATH, or for the file INSIDE the archive PATH.  NAME: the name of its module; NULL: the
   name of the file.  Returns NULL if there is no memory. */
static struct file *create_file_entry(const char *path, const char *inside, const char *name)
{
	const char *whole = name ? name : inside ? inside : path;
	size_t length = strlen(whole);
	struct strbuf label = { .bytes = NULL };
	struct file *file = calloc(1, sizeof *file);
	if (!file)
		return NULL;
	file->path = strdup(path);
	file->inside = inside ? strdup(inside) : NULL;
	file->name = strdup(base_name(whole, &length));
	strbuf_add_masked(&label, path, strlen(path));
	if (inside) {
		strbuf_add(&label, ": ");
		strbuf_add_masked(&label, inside, strlen(inside));
	}
	file->label = label.bytes;
	if (!file->path || !file->name || (inside && !file->inside) || label.no_memory) {
		free_file(file);
		return NULL;
	}
	for (char *p = file->name; *p; p++)
		*p = to_lower(*p);
	return file;
}

/* Compare files by name, then by order, then by whether they are in an archive (these come last), then by path. */
static int compare_index_files(const void *a, const void *b)
{
	const struct file *x = *(struct file *const *)a, *y = *(struct file *const *)b;
	int by_name = strcmp(x->name, y->name);
	if (by_name)
		return by_name;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (!x->inside != !y->inside)
		return x->inside ? 1 : -1;
	int by_path = strcmp(x->path, y->path);
	if (by_path || !x->inside)
		return by_path;
	return strcmp(x->inside, y->inside);
}

/* Add a file: PATH itself if INSIDE is NULL, or the file INSIDE the archive PATH, which is at PLACE in it.  Returns
   false after a message. */
static bool add_file(struct index *index, const char *path, const char *inside, const char *name,
		     const struct archives_place *place, unsigned order)
{
	if (!ARRAY_GROW(index->files, index->room, index->count))
		return diag_report_no_memory();
	struct file **files = index->files, *file = create_file_entry(path, inside, name);
	if (!file)
		return diag_report_no_memory();
	file->order = order;
	if (place)
		file->place = *place;
	size_t at = index->count;
	if (index->sorted) {
		BISECT(at, index->count, compare_index_files(&files[at], &file) < 0);
	}
	memmove(files + at + 1, files + at, (index->count++ - at) * sizeof(struct file *));
	files[at] = file;
	return true;
}

bool index_add_file(struct index *index, const char *path, const char *name)
{
	return add_file(index, path, NULL, name, NULL, 0);
}

/* Returns the offset of the last part of the path in the first END bytes of PATH. */
static size_t find_last_part(const char *path, size_t end)
{
	return (size_t)(base_name(path, &end) - path);
}

size_t file_find_store_key(const char *path, size_t *end)
{
	const size_t length = strlen(path), name = find_last_part(path, length);
	const size_t key = name > 0 ? find_last_part(path, name - 1) : 0;
	const size_t first = key > 0 ? find_last_part(path, key - 1) : 0;
	const bool same = key > 0 && key - 1 - first == length - name &&
			  strncasecmp(path + first, path + name, length - name) == 0;
	*end = same ? name - 1 : 0;
	return same ? key : 0;
}

/* ----------------------------------------------------------------------- adding the files in an archive */

/* An archive whose files are being listed. */
struct archive_listing {
	struct index *index;
	const char *path;
	unsigned order;
	bool good;
};

static bool add_archived_file(void *data, const char *name, const struct archives_place *place)
{
	struct archive_listing *listing = data;
	listing->good &= add_file(listing->index, listing->path, name, NULL, place, listing->order);
	return listing->good;
}

struct archives *index_get_archives(struct index *index)
{
	if (!index->archives) {
		budget_fill_up(&index->budget, BUDGET_ARCHIVES, wait_clock_milliseconds());
		index->archives = archives_new(&index->budget, index->workers);
	}
	return index->archives;
}

/* Add the files in an archive, and in archives inside it.  Returns false after a message. */
static bool add_files_in_archive(struct index *index, const char *path, unsigned order)
{
	struct archive_listing listing = { index, path, order, true };
	struct archives_error err;
	if (!index_get_archives(index))
		return diag_report_no_memory();
	if (archives_list_files(index->archives, path, add_archived_file, &listing, &err) == 0)
		return listing.good;
	if (!err.reported)
		diag("%s: %s", path, err.what);
	return false;
}

/* ------------------------------------------------------------------- adding the files below a directory */

static bool report_cannot_read(const char *path)
{
	diag("%s: %s", path, strerror(errno));
	return false;
}

static bool has_entry(const char *directory, const char *name)
{
	char *path = rs_entry_make_path(directory, name);
	bool has = path && access(path, F_OK) == 0;
	rossym_free(path);
	return has;
}

/* Whether NAME, in the directory PATH at level DEPTH, is an archive whose files are added, too. */
static bool is_wanted_archive(const struct index *index, const char *path, int depth, const char *name)
{
	size_t length = strlen(path);
	/* If the directory that the user named is a mounted or unpacked ISO, this cabinet holds most of the system. */
	const bool is_cabinet = depth == 1 && strcasecmp(base_name(path, &length), "reactos") == 0 &&
				strcasecmp(name, "reactos.cab") == 0;
	return archives_available &&
	       (is_cabinet || (index->discs && depth == 0 && archive_name_ends_with(name, ".iso") &&
			       !has_entry(path, "build.ninja") && !has_entry(path, "CMakeCache.txt")));
}

/* Add all files below the directory PATH, which is DEPTH levels below the one that the user named.  Returns false after
   a message if something cannot be read. */
static bool add_files_below(struct index *index, const char *path, unsigned order, int depth)
{
	DIR *directory = opendir(path);
	if (!directory)
		return report_cannot_read(path);
	bool good = true;
	const struct dirent *entry;
	while ((entry = rs_entry_read_next(directory)) != NULL) {
		char *child = rs_entry_make_path(path, entry->d_name);
		if (!child) {
			good = diag_report_no_memory();
			break;
		}
		switch (entry_kind(entry, child)) {
		case ENTRY_FILE:
			good &= add_file(index, child, NULL, NULL, NULL, order);
			if (is_wanted_archive(index, path, depth, entry->d_name))
				good &= add_files_in_archive(index, child, order);
			break;
		case ENTRY_DIRECTORY:
			if (depth < DEPTH_MAX)
				good &= add_files_below(index, child, order, depth + 1);
			break;
		case ENTRY_OTHER:
			break;
		}
		rossym_free(child);
	}
	if (!entry && errno)
		good = report_cannot_read(path);
	closedir(directory);
	return good;
}

/* Add the files of PATH, a directory or an archive of `places`.  Returns false after a message. */
static bool read_place(struct index *index, const char *path, unsigned order)
{
	struct stat st;
	/* Try opendir() before stat(), which on Windows does not find "C:\symbols\". */
	DIR *directory = opendir(path);
	if (directory) {
		closedir(directory);
		return add_files_below(index, path, order, 0);
	}
	if (errno != ENOTDIR || stat(path, &st) < 0)
		return report_cannot_read(path);
	if (S_ISREG(st.st_mode))
		return add_files_in_archive(index, path, order);
	diag("%s: neither a directory nor an archive", path);
	return false;
}

void index_read_places(struct index *index)
{
	index->sorted &= index->read;
	for (size_t i = 0; !index->read && i < index->whole_count; i++)
		index->failed |= !read_place(index, index->places.items[i], (unsigned)i + 1);
	index->read = true;
}

bool index_is_archive_a_place(const struct index *index, const char *path, unsigned order)
{
	return order == 0 || strcmp(path, index->places.items[order - 1]) == 0 || archive_name_ends_with(path, ".iso");
}

struct file *index_get_outside_file(struct index *index, const char *path)
{
	for (size_t i = 0; i < index->other_count; i++)
		if (strcmp(index->others[i]->path, path) == 0)
			return index->others[i];
	if (!ARRAY_GROW(index->others, index->other_room, index->other_count))
		return NULL;
	struct file **others = index->others, *file = create_file_entry(path, NULL, NULL);
	if (!file)
		return NULL;
	file->outside = true;
	return others[index->other_count++] = file;
}

/* ------------------------------------------------------------------------- finding files by their names */

/* Returns the index of the first file whose name begins with the LENGTH bytes at PREFIX; or, if AFTER is true, the
   index after the last.  If there is no such file, returns the index that it would have. */
static size_t find_bound(const struct index *index, const char *prefix, size_t length, bool after)
{
	size_t at;
	BISECT(at, index->count, strncasecmp(index->files[at]->name, prefix, length) < (after ? 1 : 0));
	return at;
}

struct file **index_find(struct index *index, const char *prefix, size_t length, size_t *count)
{
	if (!index->sorted && index->count > 0)
		qsort(index->files, index->count, sizeof *index->files, compare_index_files);
	index->sorted = true;
	size_t first = find_bound(index, prefix, length, false);
	*count = find_bound(index, prefix, length, true) - first;
	return index->files ? index->files + first : NULL;
}

bool index_add_if_missing(struct index *index, const char *name, const char *path, size_t place)
{
	size_t count;
	struct file **files = index_find(index, name, strlen(name) + 1, &count);
	for (size_t i = 0; i < count; i++)
		if (!files[i]->inside && strcmp(files[i]->path, path) == 0)
			return true;
	return add_file(index, path, NULL, NULL, NULL, (unsigned)place + 1);
}

bool index_add_files_called(struct index *index, const char *name)
{
	struct stat st;
	bool good = true;
	for (size_t i = index->whole_count; i < index->places.count && good && rs_debug_name_is_plain(name); i++) {
		char *path;
		good = rs_listings_find_path(&index->listings, index->places.items[i], name, &path) ||
		       diag_report_no_memory();
		if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode))
			good = index_add_if_missing(index, name, path, i);
		rossym_free(path);
	}
	return good;
}

void index_clear(struct index *index)
{
	for (size_t i = 0; i < index->count; i++)
		free_file(index->files[i]);
	for (size_t i = 0; i < index->other_count; i++)
		free_file(index->others[i]);
	search_path_clear(&index->places);
	search_path_clear(&index->debug_files);
	rs_listings_clear(&index->listings);
	free(index->others);
	free(index->files);
	archives_free(index->archives);
	*index = (struct index){ .files = NULL };
}

/* ----------------------------------------------------------------------------- reading the bytes of a file */

bool file_bytes_read(struct index *index, const struct file *file, uint64_t most, struct file_bytes *whole,
		     struct archives_error *err)
{
	struct stat st;
	struct file_content outside;
	*whole = (struct file_bytes){ .bytes = NULL };
	if (!file->inside) {
		if (stat(file->path, &st) < 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > most ||
		    !file_read(file->path, &outside))
			return false;
		whole->bytes = whole->own = outside.bytes;
		whole->size = outside.size;
		return true;
	}
	whole->content = archives_read_file(index->archives, &file->place, err);
	if (!whole->content)
		return false;
	whole->bytes = whole->content->bytes;
	whole->size = whole->content->size;
	if (whole->size <= most)
		return true;
	archives_fail(err, "too large");
	file_bytes_clear(index, whole);
	return false;
}

void file_bytes_clear(struct index *index, struct file_bytes *whole)
{
	archives_release_content(index->archives, whole->content);
	free(whole->own);
	*whole = (struct file_bytes){ .bytes = NULL };
}

int file_image_open(const struct file *file, const struct content *content, const struct rossym_open_options *options,
		    struct rossym_image **image, struct rossym_error *err)
{
	return content ? rossym_open_memory(content->bytes, content->size, options, image, err)
		       : rossym_open(file->path, options, image, err);
}

bool file_image_unpack_and_open(struct index *index, const struct file *file, unsigned flags,
				struct rossym_opened *opened, bool *over_budget)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = flags };
	struct archives_error why = { .over_budget = false };
	struct content *content = file->inside ? archives_read_file(index->archives, &file->place, &why) : NULL;
	if (over_budget)
		*over_budget = why.over_budget;
	*opened = (struct rossym_opened){ .content = content, .bytes = content ? content->size : 0 };
	if ((!file->inside || content) && file_image_open(file, content, &options, &opened->image, NULL) == 0)
		return true;
	archives_release_content(index->archives, content);
	return false;
}

void file_image_close(struct index *index, struct rossym_opened *opened, bool keep)
{
	rossym_close(opened->image);
	if (opened->content && !keep)
		archives_drop_content(index->archives, opened->content);
	else
		archives_release_content(index->archives, opened->content);
}
