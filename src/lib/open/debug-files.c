// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/open/debug-files.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/msf.h"
#include "search/path.h"
#include "compat/hash.h"
#include "lib/base/sort.h"
#include "search/debug-names.h"

#include <string.h>
#include <sys/stat.h>

/* Limits in bytes, which hardly any real file reaches: of a file, of a file with split DWARF, and of all files
   together.  PDB files do not count, because they are not read as a whole. */
#define FILE_SIZE_MAX ((uint64_t)1 << 30)
#define SPLIT_SIZE_MAX ((uint64_t)256 << 20)
#define SUM_MAX ((uint64_t)2 << 30)

/* ---------------------------------------------------------------------------------------------------- opening */

/* Append *OPENED to FILES, which then own it.  Returns 0; or -1 without memory, after closing *OPENED. */
static int append_file(struct rs_debug_files *files, struct rs_opened_file *opened, struct rossym_error *err)
{
	struct rs_opened_file *copy = rs_alloc(1, sizeof *copy);
	if (!copy || !opened->path ||
	    rs_array_grow(&files->items, &files->room, files->count, sizeof *files->items) < 0) {
		rs_source_close(&opened->source);
		rs_free(opened->path);
		rs_free(copy);
		return rs_fail_memory(err);
	}
	*copy = *opened;
	copy->next = files->all;
	files->all = copy;
	files->items[files->count++] = (struct debuginfo_file){ .path = copy->path,
								.source = copy->source,
								.opened = copy };
	files->together += opened->pdb ? 0 : opened->source.size;
	return 0;
}

/* Set opened->pdb if the first bytes of *OPENED are those of a PDB file.  If it is no image, ELF or PDB file, limit its
   source to these bytes, from which debuginfo/ detects the kind of the file for a warning. */
static void detect_kind(struct rs_opened_file *opened)
{
	char head[2 * RS_MSF_MAGIC_SIZE] = { 0 };
	const size_t size = opened->source.size < sizeof head ? (size_t)opened->source.size : sizeof head;
	if (rs_source_copy(&opened->source, 0, size, head, NULL) < 0)
		return;
	opened->pdb = memcmp(head, RS_MSF_MAGIC, RS_MSF_MAGIC_SIZE) == 0;
	if (!opened->pdb && memcmp(head, "MZ", 2) != 0 && memcmp(head, "\177ELF", 4) != 0)
		opened->source.size = size;
}

/* Whether PATH names the image, or a file of FILES. */
static bool is_image_or_in_list(const struct rs_debug_files *files, const char *path,
				const struct rs_debug_places *places)
{
	bool known = places->image && rs_paths_name_same_file(places->image, path);
	for (uint32_t i = 0; i < files->count && !known; i++)
		known = rs_paths_name_same_file(files->items[i].path, path);
	return known;
}

/* Open the file PATH, if it exists, and append it to FILES.  SPLIT: it has split DWARF, so its first bytes do not
   matter.  Without SPLIT, the image and files that are in FILES are left out.  Returns 0, or -1 without memory. */
static int open_path(struct rs_debug_files *files, const char *path, bool split, const struct rs_debug_places *places,
		     struct rossym_error *err)
{
	struct rs_opened_file opened = { .source = RS_SOURCE_INIT };
	struct rossym_error why;
	struct stat st;
	/* Skip directories without a warning: in a symbol store, they have the names of files. */
	if (stat(path, &st) < 0 || (S_ISDIR(st.st_mode) && !split))
		return 0;
	if (!S_ISREG(st.st_mode)) {
		rs_warnings_pass_on(places->warnings, path, "not a regular file; it is not read", 0, ROSSYM_OK);
		return 0;
	}
	if (!split && is_image_or_in_list(files, path, places))
		return 0;
	if (rs_source_open(&opened.source, path, &why) < 0) {
		rs_warnings_pass_on(places->warnings, path, why.what, why.sys_errno, ROSSYM_OK);
		return 0;
	}
	const uint64_t size = opened.source.size, most = split ? SPLIT_SIZE_MAX : FILE_SIZE_MAX;
	if (!split)
		detect_kind(&opened);
	if (!opened.pdb && (size > most || size > SUM_MAX - files->together)) {
		rs_warnings_pass_on(places->warnings, path, "too large; it is not read", 0, ROSSYM_OK);
		rs_source_close(&opened.source);
		return 0;
	}
	opened.path = rs_copy_text(path);
	return append_file(files, &opened, err);
}

/* Whether PATH is longer than SUFFIX, which has 4 characters, and ends with it. */
static bool has_suffix(const char *path, const char *suffix)
{
	const size_t length = strlen(path);
	return length > 4 && strcmp(path + length - 4, suffix) == 0;
}

bool rs_debug_files_is_split(const char *path)
{
	return has_suffix(path, ".dwo") || has_suffix(path, ".dwp");
}

int rs_debug_files_add(struct rs_debug_files *files, const struct rossym_debug_file *given, struct rossym_error *err)
{
	struct rs_opened_file opened = { .source = rs_source_from_memory(given->bytes, given->bytes_size) };
	if (!given->path || (given->flags & ~ROSSYM_DEBUG_FILE_CHOSEN))
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a debug file without a path, or with unknown flags");
	if (!given->bytes && rs_source_open_fd(&opened.source, given->fd, err) < 0)
		return -1;
	opened.path = rs_copy_text(given->path);
	if (!rs_debug_files_is_split(given->path))
		detect_kind(&opened);
	if (append_file(files, &opened, err) < 0)
		return -1;
	files->items[files->count - 1].named = given->flags & ROSSYM_DEBUG_FILE_CHOSEN;
	return 0;
}

/* ---------------------------------------------------------------------------------------------------- searching */

struct file_search {
	struct rs_debug_files *files;
	const struct rs_debug_places *places;
	struct rossym_error *err;
	int result;	  /* of open_found_path(): 0; -1: there is no memory */
	const char *name; /* of a file with split DWARF; NULL: all files with split DWARF */
};

static void open_found_path(void *context, const char *path)
{
	struct file_search *search = context;
	if (search->result == 0)
		search->result = open_path(search->files, path, false, search->places, search->err);
}

int rs_debug_files_find(struct rs_debug_files *files, struct rossym_image *image, const struct rs_debug_places *places,
			struct rossym_error *err)
{
	struct file_search search = { .files = files, .places = places, .err = err };
	struct listings listings = { .count = 0 };
	struct debug_search where = { .image = places->image,
				      .directories = places->directories,
				      .directory_count = places->directory_count,
				      .recorded = places->recorded,
				      .listings = &listings,
				      .take = open_found_path,
				      .context = &search };
	struct debug_names names;
	rs_debug_names_make(&names, image, places->image ? places->image : "");
	for (unsigned i = 0; i < names.count && search.result == 0; i++)
		if (!rs_debug_search_for_name(&where, &names.items[i]))
			search.result = rs_fail_memory(err);
	rs_listings_clear(&listings);
	return search.result;
}

/* ------------------------------------------------------------------------------------------------------ bytes */

/* Make the bytes of ITEM available: with RS_ALL, read or map all of them now; with RS_MAP, map them if the system can;
   else read each piece when it is needed.  Returns 0 or -1. */
static int load_file(struct debuginfo_file *item, enum rs_reading reading, struct rossym_error *err)
{
	struct rs_opened_file *opened = item->opened;
	if (opened->pdb) {
		/* RS_ALL is for a child process, which has no open files.  If another program shortens the file,
		   reading the mapping crashes only the child. */
		if (reading == RS_ALL && rs_pieces_map(&opened->pieces, &opened->source))
			item->source = rs_source_from_memory(opened->pieces.bytes, opened->source.size);
	} else {
		const bool all = reading == RS_ALL || has_suffix(opened->path, ".dwo");
		if (rs_pieces_open(&opened->pieces, &opened->source, reading == RS_MAP, err) < 0)
			return -1;
		if (all && rs_pieces_read_all(&opened->pieces, err) < 0) {
			rs_pieces_clear(&opened->pieces);
			return -1;
		}
		item->source = rs_pieces_source(&opened->pieces);
		if (!opened->pieces.read)
			rs_source_close(&opened->source);
	}
	opened->stamp = rs_source_stamp(&opened->source);
	return 0;
}

static void close_file(struct rs_opened_file *opened)
{
	rs_pieces_clear(&opened->pieces);
	rs_source_close(&opened->source);
}

/* Close file NUMBER and remove it from FILES, with a warning.  Its path stays in memory, because answers may refer to
   it.  Returns 0; or -1 with *ERR, without removing it, if the user named the file, or there was no memory. */
static int remove_file(struct rs_debug_files *files, uint32_t number, const struct rossym_error *why,
		       struct rs_warnings *warnings, struct rossym_error *err)
{
	struct rs_opened_file *opened = files->items[number].opened;
	if (why->code == ROSSYM_ENOMEM || files->items[number].named)
		return rs_fail_with(err, why);
	rs_warnings_pass_on(warnings, opened->path, why->what, why->sys_errno, ROSSYM_OK);
	close_file(opened);
	const uint32_t after = --files->count - number;
	memmove(files->items + number, files->items + number + 1, after * sizeof *files->items);
	return 0;
}

int rs_debug_files_load(struct rs_debug_files *files, const struct rs_debug_places *places, struct rossym_error *err)
{
	struct rossym_error why;
	while (files->loaded < files->count) {
		if (load_file(&files->items[files->loaded], places->reading, &why) == 0)
			files->loaded++;
		else if (remove_file(files, files->loaded, &why, places->warnings, err) < 0)
			return -1;
	}
	return 0;
}

int rs_debug_files_drop_unusable(struct rs_debug_files *files, struct rs_warnings *warnings, struct rossym_error *err)
{
	int removed = 0;
	for (uint32_t i = files->loaded; i-- > 0;) {
		const struct rs_opened_file *opened = files->items[i].opened;
		struct rossym_error why = opened->pieces.why;
		if (rs_source_has_changed(&opened->source, &opened->stamp))
			rs_fail(&why, ROSSYM_ECHANGED, 0, "it has changed since it was opened");
		else if (!opened->pieces.failed)
			continue;
		if (remove_file(files, i, &why, warnings, err) < 0)
			return -1;
		files->loaded--;
		removed = 1;
	}
	return removed;
}

void rs_debug_files_clear(struct rs_debug_files *files)
{
	struct rs_opened_file *opened;
	while ((opened = files->all) != NULL) {
		files->all = opened->next;
		close_file(opened);
		rs_free(opened->path);
		rs_free(opened);
	}
	rs_free(files->items);
	*files = (struct rs_debug_files){ .count = 0 };
}

/* ------------------------------------------------------------------------------------------------ warnings */

/* Limits for the warnings about one image: their number, and the bytes of all texts. */
enum { WARNINGS_MAX = 1000, WARNINGS_LENGTH_MAX = 65536 };

/* Store the hash of a warning, if necessary in place of the oldest hash.  Returns false if it is stored already. */
static bool store_warning_if_new(struct rs_warnings *warnings, const char *path, const char *text)
{
	const size_t most = sizeof warnings->hashes / sizeof *warnings->hashes;
	const uint64_t begin = path ? hash_bytes((uintptr_t)warnings, path, strlen(path)) : (uintptr_t)warnings;
	const uint64_t hash = hash_bytes(begin, text, strlen(text));
	for (size_t i = 0; i < warnings->count && i < most; i++)
		if (warnings->hashes[i] == hash)
			return false;
	warnings->hashes[warnings->count % most] = hash;
	return true;
}

void rs_warnings_pass_on(struct rs_warnings *warnings, const char *path, const char *text, int number,
			 enum rossym_code code)
{
	static const char more[] = "there are more warnings, which are not shown";
	struct rossym_warning warning = {
		.size = sizeof warning, .path = path, .what = text, .sys_errno = number, .code = code
	};
	const size_t length = strlen(text);
	if (!warnings->warn || warnings->too_many || !store_warning_if_new(warnings, path, text))
		return;
	if (warnings->count == WARNINGS_MAX || length > WARNINGS_LENGTH_MAX - warnings->bytes) {
		warnings->too_many = true;
		warning = (struct rossym_warning){ .size = sizeof warning, .what = more };
	}
	warnings->count++;
	warnings->bytes += length;
	warnings->warn(warnings->context, &warning);
}

/* ------------------------------------------------------------------------------------------------ split DWARF */

/* The functions below open the files to which gcc -gsplit-dwarf has moved most of an image's debug information.  The
   image has the paths of these files, but it is not trusted: only the last part of a path is used, and is searched for
   only in the directory of the image and in the directories that the user named. */

/* ------------------------------------------------------------------------------------------------ names */

void rs_split_names_add_name(void *context, const char *name)
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

static int open_and_load_entry(const struct file_search *search, const char *directory, const char *name)
{
	char *path = rs_entry_make_path(directory, name);
	int result = path ? open_path(search->files, path, true, search->places, search->err)
			  : rs_fail_memory(search->err);
	if (result == 0)
		result = rs_debug_files_load(search->files, search->places, search->err);
	rs_free(path);
	return result;
}

/* Open and load search->name, or all files with split DWARF, in DIRECTORY.  Returns 0 or -1. */
static int open_entries(const struct file_search *search, const char *directory)
{
	const struct dirent *entry;
	int result = 0;
	if (search->name)
		return open_and_load_entry(search, directory, search->name);
	DIR *open = opendir(directory[0] ? directory : ".");
	while (open && result == 0 && search->files->count < RS_SPLIT_FILES_MAX &&
	       (entry = rs_entry_read_next(open)) != NULL)
		if (rs_debug_files_is_split(entry->d_name))
			result = open_and_load_entry(search, directory, entry->d_name);
	if (open)
		closedir(open);
	return result;
}

/* Open the wanted files in the directory of the image, and in each directory of search->places.  Returns 0 or -1. */
static int open_in_directories(const struct file_search *search)
{
	const struct rs_debug_places *places = search->places;
	int result = 0;
	if (places->image) {
		const size_t before = (size_t)(rs_path_base(places->image) - places->image);
		char *directory = rs_alloc(before + 1, 1);
		if (!directory)
			return rs_fail_memory(search->err);
		memcpy(directory, places->image, before);
		result = open_entries(search, directory);
		rs_free(directory);
	}
	for (size_t i = 0; i < places->directory_count && result == 0; i++)
		result = open_entries(search, places->directories[i]);
	return result;
}

/* ------------------------------------------------------------------------------------------------ files */

static int open_files_named(struct file_search *search, const char *name)
{
	const struct rs_debug_places *places = search->places;
	struct rossym_debug_file file = { .fd = -1 };
	search->name = name;
	if (!places->find_split)
		return open_in_directories(search);
	for (size_t i = 0; places->find_split(places->find_context, name, i, &file) > 0; i++) {
		if (rs_debug_files_add(search->files, &file, search->err) < 0)
			return -1;
		file = (struct rossym_debug_file){ .fd = -1 };
	}
	return 0;
}

/* Open the packages, which are files with all .dwo files of an image: X.EXE.dwp and X.dwp for the image X.EXE. */
static int open_packages(struct file_search *search)
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
	struct file_search search = { .files = files, .places = places, .err = err };
	if (!names)
		return open_in_directories(&search);
	int result = names->no_memory ? rs_fail_memory(err) : 0;
	rs_sort(names->items, names->count, sizeof *names->items, compare_names);
	for (uint32_t i = 0; i < names->count && result == 0; i++)
		if (i == 0 || strcmp(names->items[i], names->items[i - 1]) != 0)
			result = open_files_named(&search, names->items[i]);
	if (result == 0)
		result = open_packages(&search);
	return result < 0 ? -1 : rs_debug_files_load(files, places, err);
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
