// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/open/debug-files.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "search/debug-names.h"
#include "search/entry.h"
#include "search/listings.h"
#include "search/path.h"
#include "search/symbol-store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Limits in bytes, which hardly any real file reaches: of a file, and of all files together.  A PDB file has none,
   because it is read in pieces. */
#define FILE_SIZE_MAX ((uint64_t)1 << 30)
#define SUM_MAX ((uint64_t)2 << 30)

/* ---------------------------------------------------------------------------------------------------- one file */

/* Whether A and B are the same file.  Where the system has no numbers of files, as on Windows, they count as
   different. */
static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino != 0 && a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static bool is_known(const struct rs_debug_files *files, const struct stat *st)
{
	struct stat other;
	for (uint32_t i = 0; i < files->count; i++)
		if (files->opened[i].source.fd >= 0 && !files->opened[i].source.closed &&
		    fstat(files->opened[i].source.fd, &other) == 0 && is_same(&other, st))
			return true;
	return false;
}

/* Add an element for *OPENED, which the list then owns.  Returns 0; or -1 without memory, after closing it. */
static int append_file(struct rs_debug_files *files, struct rs_opened_file *opened, struct rossym_error *err)
{
	if (!opened->path || rs_array_grow(&files->items, &files->room, files->count, sizeof *files->items) < 0 ||
	    rs_array_grow(&files->opened, &files->opened_room, files->count, sizeof *files->opened) < 0) {
		rs_source_close(&opened->source);
		rs_free(opened->path);
		return rs_fail_memory(err);
	}
	files->items[files->count] = (struct debuginfo_file){ .path = opened->path,
							      .size = (size_t)opened->source.size,
							      .fd = -1 };
	files->opened[files->count++] = *opened;
	files->in_memory += opened->pdb ? 0 : opened->source.size;
	return 0;
}

/* Read the first bytes of *OPENED, and note what they tell.  A file that is no image, ELF or PDB file is not wanted for
   its bytes; but the first of them let debuginfo/ say in a warning what the file is. */
static void judge_file(struct rs_opened_file *opened)
{
	char head[DEBUG_HEAD_SIZE] = { 0 };
	const size_t size = opened->source.size < sizeof head ? (size_t)opened->source.size : sizeof head;
	if (rs_source_copy(&opened->source, 0, size, head, NULL) < 0)
		return;
	opened->pdb = rs_debug_head_is_pdb(head, size);
	if (!opened->pdb && memcmp(head, "MZ", 2) != 0 && memcmp(head, "\177ELF", 4) != 0)
		opened->source.size = size;
}

/* Open the file PATH if it exists, unless it is the image IMAGE or in the list.  ANY: its first bytes do not matter.
   Returns 0; or -1 without memory. */
static int open_path(struct rs_debug_files *files, const char *path, bool any, const struct rs_debug_places *places,
		     struct rossym_error *err)
{
	struct rs_opened_file opened = { .source = RS_SOURCE_INIT };
	struct rossym_error why;
	struct stat st, image;
	/* A symbol store has directories with the names of files. */
	if (stat(path, &st) < 0 || S_ISDIR(st.st_mode))
		return 0;
	if (!S_ISREG(st.st_mode)) {
		rs_warnings_add(places->warnings, path, "not a regular file; it is not read", 0);
		return 0;
	}
	if ((places->image &&
	     (strcmp(places->image, path) == 0 || (stat(places->image, &image) == 0 && is_same(&st, &image)))) ||
	    is_known(files, &st))
		return 0;
	if (rs_source_open(&opened.source, path, &why) < 0) {
		rs_warnings_add(places->warnings, path, why.what, why.sys_errno);
		return 0;
	}
	if (!any)
		judge_file(&opened);
	if (!opened.pdb && (opened.source.size > FILE_SIZE_MAX || opened.source.size > SUM_MAX - files->in_memory)) {
		rs_warnings_add(places->warnings, path, "too large; it is not read", 0);
		rs_source_close(&opened.source);
		return 0;
	}
	opened.path = rs_copy_text(path);
	return append_file(files, &opened, err);
}

static int open_entry(struct rs_debug_files *files, const char *directory, const char *name, bool any,
		      const struct rs_debug_places *places, struct rossym_error *err)
{
	char *path = rs_entry_path(directory, name);
	const int result = path ? open_path(files, path, any, places, err) : rs_fail_memory(err);
	rs_free(path);
	return result;
}

bool rs_debug_files_is_split(const char *path)
{
	const size_t length = strlen(path);
	return length > 4 && (strcmp(path + length - 4, ".dwo") == 0 || strcmp(path + length - 4, ".dwp") == 0);
}

int rs_debug_files_add(struct rs_debug_files *files, const struct rossym_debug_file *given, struct rossym_error *err)
{
	struct rs_opened_file opened = { .source = { .memory = given->bytes, .fd = -1, .size = given->bytes_size } };
	if (!given->path || (given->flags & ~ROSSYM_DEBUG_FILE_CHOSEN))
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a debug file without a path, or with unknown flags");
	if (!given->bytes && rs_source_open_fd(&opened.source, given->fd, err) < 0)
		return -1;
	opened.path = rs_copy_text(given->path);
	if (!rs_debug_files_is_split(given->path))
		judge_file(&opened);
	if (append_file(files, &opened, err) < 0)
		return -1;
	files->items[files->count - 1].named = given->flags & ROSSYM_DEBUG_FILE_CHOSEN;
	return 0;
}

/* ----------------------------------------------------------------------------------------------------- all files */

struct debug_search {
	struct rs_debug_files *files;
	const struct rs_debug_places *places;
	struct listings listings;
	struct rossym_error *err;
	int result; /* 0; -1: there is no memory */
};

static void try_entry(struct debug_search *search, const char *directory, const char *name)
{
	if (search->result == 0)
		search->result = open_entry(search->files, directory, name, false, search->places, search->err);
}

/* Open the file NAME if it is in DIRECTORY; names of PDB files are compared without regard to case. */
static void try_name(struct debug_search *search, const char *directory, const struct debug_name *name)
{
	char *found = NULL;
	if (!name->pdb) {
		try_entry(search, directory, name->name);
		return;
	}
	if (!rs_listings_find_path(&search->listings, directory, name->name, &found))
		search->result = rs_fail_memory(search->err);
	else if (found)
		try_entry(search, "", found);
	rs_free(found);
}

static bool take_stored(void *context, const char *path)
{
	try_entry(context, "", path);
	return false;
}

/* Open the files called NAME beside the image. */
static void try_beside(struct debug_search *search, const struct debug_name *name)
{
	const char *image = search->places->image;
	for (const char *const *place = rs_debug_names_beside; image && *place && name->name[0]; place++) {
		const size_t before = (size_t)(rs_path_base(image) - image);
		char *directory = rs_alloc(before + strlen(*place) + 1, 1);
		if (!directory) {
			search->result = rs_fail_memory(search->err);
			return;
		}
		memcpy(directory, image, before);
		memcpy(directory + before, *place, strlen(*place) + 1);
		try_name(search, directory, name);
		rs_free(directory);
	}
}

static void try_everywhere(struct debug_search *search, const struct debug_name *name)
{
	const struct symbol_store_wanted wanted = { .name = name->name, .key = name->key };
	const struct rs_debug_places *places = search->places;
	try_beside(search, name);
	for (size_t i = 0; i < places->directory_count && search->result == 0; i++) {
		const char *directory = places->directories[i];
		if (name->name[0])
			try_name(search, directory, name);
		if (name->key[0] && search->result == 0 &&
		    !rs_symbol_store_find(&search->listings, directory, &wanted, take_stored, search))
			search->result = rs_fail_memory(search->err);
		if (name->build_id[0])
			try_entry(search, directory, name->build_id);
	}
	if (places->recorded && name->recorded[0])
		try_entry(search, "", name->recorded);
}

int rs_debug_files_find(struct rs_debug_files *files, struct rossym_image *image, const struct rs_debug_places *places,
			struct rossym_error *err)
{
	struct debug_search search = { .files = files, .places = places, .err = err };
	struct debug_names names;
	rs_debug_names_make(&names, image, places->image ? places->image : "");
	for (unsigned i = 0; i < names.count && search.result == 0; i++)
		try_everywhere(&search, &names.items[i]);
	rs_listings_clear(&search.listings);
	return search.result;
}

/* Call STEP for the directory of the image and for each directory of PLACES, until it does not return 0.  Returns its
   last result. */
static int for_each_directory(const struct rs_debug_places *places,
			      int (*step)(void *context, const char *directory, struct rossym_error *err),
			      void *context, struct rossym_error *err)
{
	int result = 0;
	if (places->image) {
		const size_t before = (size_t)(rs_path_base(places->image) - places->image);
		char *directory = rs_alloc(before + 1, 1);
		if (!directory)
			return rs_fail_memory(err);
		memcpy(directory, places->image, before);
		result = step(context, directory, err);
		rs_free(directory);
	}
	for (size_t i = 0; i < places->directory_count && result == 0; i++)
		result = step(context, places->directories[i], err);
	return result;
}

/* A search for files with split DWARF. */
struct split_search {
	struct rs_debug_files *files;
	struct rs_debug_places places;
	const char *name; /* of the file */
	bool map;
};

/* Returns a search in PLACES.  Such a file never is the image, so there is no need to compare them. */
static struct split_search split_search(struct rs_debug_files *files, const struct rs_debug_places *places)
{
	struct split_search search = { .files = files, .places = *places };
	search.places.image = NULL;
	return search;
}

static int open_named(void *context, const char *directory, struct rossym_error *err)
{
	const struct split_search *search = context;
	return open_entry(search->files, directory, search->name, true, &search->places, err);
}

int rs_debug_files_open(struct rs_debug_files *files, const char *name, const struct rs_debug_places *places,
			struct rossym_error *err)
{
	struct split_search search = split_search(files, places);
	search.name = name;
	return for_each_directory(places, open_named, &search, err);
}

/* Open and load all files with split DWARF in DIRECTORY, and close each, because a process can have only so many open
   files. */
static int open_split(void *context, const char *directory, struct rossym_error *err)
{
	const struct split_search *search = context;
	struct rs_debug_files *files = search->files;
	const struct dirent *entry;
	int result = 0;
	DIR *open = opendir(directory[0] ? directory : ".");
	while (open && result == 0 && files->count < RS_SPLIT_FILES_MAX && (entry = rs_entry_next(open)) != NULL) {
		if (!rs_debug_files_is_split(entry->d_name))
			continue;
		result = open_entry(files, directory, entry->d_name, true, &search->places, err);
		if (result == 0)
			result = rs_debug_files_load(files, search->map, search->places.warnings, err);
		if (files->count > 0)
			rs_source_close(&files->opened[files->count - 1].source);
	}
	if (open)
		closedir(open);
	return result;
}

int rs_debug_files_open_split(struct rs_debug_files *files, bool map, const struct rs_debug_places *places,
			      struct rossym_error *err)
{
	struct split_search search = split_search(files, places);
	search.map = map;
	return for_each_directory(places, open_split, &search, err);
}

/* ------------------------------------------------------------------------------------------------------ bytes */

/* Read or map file NUMBER.  Returns 0 or -1, as rs_file_bytes_load(). */
static int load_file(struct rs_debug_files *files, uint32_t number, bool map, struct rossym_error *err)
{
	struct rs_opened_file *opened = &files->opened[number];
	struct debuginfo_file *item = &files->items[number];
	/* pdb/ reads it in pieces, through the descriptor. */
	if (opened->pdb && opened->source.fd >= 0) {
		item->fd = opened->source.fd;
		return 0;
	}
	if (rs_file_bytes_load(&opened->bytes, &opened->source, map, err) < 0)
		return -1;
	item->bytes = opened->bytes.bytes;
	item->size = opened->bytes.size;
	return 0;
}

static void close_file(struct rs_opened_file *opened)
{
	rs_file_bytes_clear(&opened->bytes);
	rs_source_close(&opened->source);
	rs_free(opened->path);
}

int rs_debug_files_load(struct rs_debug_files *files, bool map, struct rs_warnings *warnings, struct rossym_error *err)
{
	uint32_t kept = 0;
	int result = 0;
	for (uint32_t i = 0; i < files->count; i++) {
		struct rossym_error why;
		const bool there = files->items[i].bytes || files->items[i].fd >= 0;
		if (result == 0 && !there && load_file(files, i, map, &why) < 0) {
			if (why.code != ROSSYM_ENOMEM && !files->items[i].named) {
				rs_warnings_add(warnings, files->opened[i].path, why.what, why.sys_errno);
				close_file(&files->opened[i]);
				continue;
			}
			result = -1;
			if (err)
				*err = why;
		}
		files->items[kept] = files->items[i];
		files->opened[kept++] = files->opened[i];
	}
	files->count = kept;
	return result;
}

void rs_debug_files_clear(struct rs_debug_files *files)
{
	for (uint32_t i = 0; i < files->count; i++)
		close_file(&files->opened[i]);
	rs_free(files->items);
	rs_free(files->opened);
	*files = (struct rs_debug_files){ .count = 0 };
}
