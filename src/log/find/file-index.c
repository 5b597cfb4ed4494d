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
   false after a message.  NAME is for create_file_entry(); ORDER becomes the member `order` of the file. */
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

/* Whether DIRECTORY looks like a directory in which ReactOS is built: it has a file of Ninja or CMake. */
static bool has_build_files(const char *directory)
{
	static const char *const names[] = { "build.ninja", "CMakeCache.txt" };
	bool has = false;
	for (size_t i = 0; i < sizeof names / sizeof *names && !has; i++) {
		char *path = rs_entry_make_path(directory, names[i]);
		has = path && access(path, F_OK) == 0;
		rossym_free(path);
	}
	return has;
}

/* Whether NAME, in the directory PATH at level DEPTH, is an archive whose files are added, too. */
static bool is_wanted_archive(const struct index *index, const char *path, int depth, const char *name)
{
	size_t length = strlen(path);
	/* If the directory that the user named is a mounted or unpacked ISO, this cabinet holds most of the system. */
	const bool is_cabinet = depth == 1 && strcasecmp(base_name(path, &length), "reactos") == 0 &&
				strcasecmp(name, "reactos.cab") == 0;
	return archives_available && (is_cabinet || (index->discs && depth == 0 &&
						     archive_name_ends_with(name, ".iso") && !has_build_files(path)));
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

/* ------------------------------------------------------------------------------------ the default places */

/* How many entries of directories are read to find out what the current directory is.  A build directory of ReactOS has
   about 100,000, and the first module comes after some hundred of them.  Opening a file counts as ENTRIES_FOR_A_FILE
   entries.  Without d_type, as on Windows, each entry needs a second system call, which is slow there. */
#ifdef HAVE_STRUCT_DIRENT_D_TYPE
enum { ENTRIES_MAX = 50000 };
#else
enum { ENTRIES_MAX = 5000 };
#endif
enum { ENTRIES_FOR_A_FILE = 50, BUILD_DEPTH_MAX = 8 };

/* Read the next entry of DIRECTORY, and subtract 1 from *LEFT, the number of entries that may still be read.  Returns
   NULL if there is no entry, if *LEFT is 0, or if DIRECTORY is NULL because it could not be opened. */
static const struct dirent *read_next_entry(DIR *directory, unsigned *left)
{
	if (!directory || *left == 0)
		return NULL;
	(*left)--;
	return rs_entry_read_next(directory);
}

/* ------------------------------------------------------------------------------ recognizing a build directory */

static bool is_module_name(const char *name)
{
	return archive_name_ends_with(name, ".exe") || archive_name_ends_with(name, ".dll") ||
	       archive_name_ends_with(name, ".sys");
}

/* Whether the file PATH is an image with a .rossym table; or, if DEBUG_INFO is true, an image that has debug
   information or names a file that should have it.  Subtracts ENTRIES_FOR_A_FILE from *LEFT. */
static bool is_image_with_symbols(const char *path, bool debug_info, unsigned *left)
{
	const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_debug_reference reference = { .size = sizeof reference };
	struct rossym_image *image;
	struct rossym_error err;
	*left -= *left < ENTRIES_FOR_A_FILE ? *left : ENTRIES_FOR_A_FILE;
	bool is = rossym_open(path, NULL, &image, &err) == 0;
	if (!is && (!debug_info || err.code != ROSSYM_ENOSYMS || rossym_open(path, &headers, &image, NULL) < 0))
		return false;
	is = is || rs_image_has_dwarf_or_stabs(image) || rossym_get_debug_reference(image, 0, &reference, NULL) > 0;
	rossym_close(image);
	return is;
}

/* Whether there is a module exactly LEVELS directories below PATH.  Directories called CMakeFiles are skipped: CMake
   puts object files there, and most files are object files. */
static bool has_module(const char *path, unsigned levels, bool debug_info, unsigned *left)
{
	bool found = false;
	DIR *directory = opendir(path);
	const struct dirent *entry;
	while (!found && (entry = read_next_entry(directory, left)) != NULL) {
		if (levels == 0 ? !is_module_name(entry->d_name) : strcmp(entry->d_name, "CMakeFiles") == 0)
			continue;
		char *child = rs_entry_make_path(path, entry->d_name);
		enum entry kind = child ? entry_kind(entry, child) : ENTRY_OTHER;
		found = levels == 0 ? kind == ENTRY_FILE && is_image_with_symbols(child, debug_info, left)
				    : kind == ENTRY_DIRECTORY && has_module(child, levels - 1, debug_info, left);
		rossym_free(child);
	}
	if (directory)
		closedir(directory);
	return found;
}

/* Whether the current directory is a build directory with a module.  Searches level after level: large parts of the
   directory have no modules, and the others have them only a few levels below. */
static bool is_build_directory(bool debug_info, unsigned *left)
{
	if (!has_build_files("."))
		return false;
	for (unsigned levels = 0; levels <= BUILD_DEPTH_MAX && *left > 0; levels++)
		if (has_module(".", levels, debug_info, left))
			return true;
	return false;
}

/* ---------------------------------------------------------------------------- recognizing the content of an ISO */

/* Find an entry of KIND in DIRECTORY that is called NAME, without regard to case.  Returns its path, which the caller
   must free, or NULL if there is none. */
static char *find_entry(const char *directory, const char *name, enum entry kind, unsigned *left)
{
	char *found = NULL;
	DIR *open = opendir(directory);
	const struct dirent *entry;
	while (!found && (entry = read_next_entry(open, left)) != NULL) {
		if (strcasecmp(entry->d_name, name) != 0)
			continue;
		found = rs_entry_make_path(directory, entry->d_name);
		if (found && entry_kind(entry, found) != kind) {
			rossym_free(found);
			found = NULL;
		}
	}
	if (open)
		closedir(open);
	return found;
}

static bool has_file(const char *directory, const char *name, unsigned *left)
{
	char *path = find_entry(directory, name, ENTRY_FILE, left);
	bool has = path != NULL;
	rossym_free(path);
	return has;
}

/* Whether the current directory has the content of an ISO: of an installation medium, which has a cabinet or the kernel
   in reactos/, or of a live medium, which has the kernel in reactos/system32/. */
static bool has_iso_content(unsigned *left)
{
	char *reactos = find_entry(".", "reactos", ENTRY_DIRECTORY, left);
	char *system32 = reactos ? find_entry(reactos, "system32", ENTRY_DIRECTORY, left) : NULL;
	bool is = (reactos && (has_file(reactos, "reactos.cab", left) || has_file(reactos, "ntoskrnl.exe", left))) ||
		  (system32 && has_file(system32, "ntoskrnl.exe", left));
	rossym_free(reactos);
	rossym_free(system32);
	return is;
}

bool index_add_default_places(struct index *index, bool debug_info)
{
	struct search_path *places = &index->places;
	const char *list = getenv("ROSSYM_PATH");
	unsigned left = ENTRIES_MAX;
	bool good = search_path_add(places, list);
	if (places->count > 0)
		diag("no -e or -d: looking for modules in ROSSYM_PATH, %s", list);
	const char *what = !good || places->count > 0		   ? NULL
			   : is_build_directory(debug_info, &left) ? "a build directory"
			   : has_iso_content(&left)		   ? "the content of an ISO"
								   : NULL;
	if (what) {
		diag("no -e or -d: looking for modules in the current directory, which looks like %s", what);
		good = search_path_add_one(places, ".", 1);
	}
	return good || diag_report_no_memory();
}

/* ------------------------------------------------------------------------- finding files by their names */

struct file **index_find(struct index *index, const char *prefix, size_t length, size_t *count)
{
	if (!index->sorted && index->count > 0)
		qsort(index->files, index->count, sizeof *index->files, compare_index_files);
	index->sorted = true;
	size_t first, after;
	BISECT(first, index->count, strncasecmp(index->files[first]->name, prefix, length) < 0);
	BISECT(after, index->count, strncasecmp(index->files[after]->name, prefix, length) <= 0);
	*count = after - first;
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
