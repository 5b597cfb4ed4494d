// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "embed/files.h"
#include "tool/array.h"
#include "search/debug-names.h"
#include "tool/diag.h"
#include "search/listings.h"
#include "search/path.h"
#include "search/symbol-store.h"
#include "tool/strbuf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Limits in bytes, which hardly any real file reaches.  A PDB file has none, because it is mapped. */
#define FILE_SIZE_MAX ((uint64_t)1 << 30)
#define SUM_MAX ((uint64_t)2 << 30)

/* ---------------------------------------------------------------------------------------------------- one file */

struct debuginfo_file files_item(const char *path, const struct file_content *file)
{
	return (struct debuginfo_file){
		.path = path, .bytes = file->bytes, .size = file->size, .mapped = file->mapped, .fd = file->fd
	};
}

/* Append FILE to the list, which then owns it and PATH.  If PATH or the bytes of FILE are NULL, memory has run out.
   On failure, frees both, prints a message and returns false. */
static bool append_file(struct files *files, char *path, struct file_content *file, bool named)
{
	struct debuginfo_file *items = array_with_room(files->items, &files->room, files->count, sizeof *items);
	files->items = items ? items : files->items;
	if (!path || !file->bytes || !items) {
		free(path);
		file_clear(file);
		return diag_out_of_memory();
	}
	items[files->count] = files_item(path, file);
	items[files->count++].named = named;
	files->size += file->size;
	return true;
}

static bool begins_with(const char *head, size_t size, const char *beginning)
{
	return size >= strlen(beginning) && memcmp(head, beginning, strlen(beginning)) == 0;
}

static bool is_image_or_elf(const char *head, size_t size)
{
	return begins_with(head, size, "MZ") || begins_with(head, size, "\177ELF");
}

/* Returns how many bytes of FILES have been read into memory. */
static uint64_t size_in_memory(const struct files *files)
{
	uint64_t size = 0;
	for (uint32_t i = 0; i < files->count; i++)
		size += files->items[i].mapped ? 0 : files->items[i].size;
	return size;
}

/* Whether the file PATH of SIZE bytes is too large to be read: it has more than MOST bytes, or more than SUM_MAX
   together with FILES.  A PDB file never is, unless ANY_KIND of file is read into memory. */
static bool is_too_large(const struct files *files, const char *path, uint64_t size, uint64_t most, bool any_kind)
{
	char head[DEBUG_HEAD_SIZE];
	return (size > most || size > SUM_MAX - size_in_memory(files)) &&
	       (any_kind || !rs_debug_head_is_pdb(head, file_read_head(path, head, sizeof head)));
}

/* Whether PATH is a regular file that can be opened and is not too large (is_too_large()).  Warns if PATH exists but is
   not such a file; for a directory, only if ANY_KIND. */
static bool is_readable(const struct files *files, const char *path, uint64_t most, bool any_kind)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return false;
	/* No warning: a symbol store has directories with the names of files. */
	if (S_ISDIR(st.st_mode) && !any_kind)
		return false;
	if (!S_ISREG(st.st_mode))
		diag_warning("%s: not a regular file; it is not read", path);
	else if (is_too_large(files, path, (uint64_t)st.st_size, most, any_kind))
		diag_warning("%s: too large; it is not read", path);
	else if (access(path, R_OK) < 0)
		diag_warning("%s: cannot open: %s; it is not read", path, strerror(errno));
	else
		return true;
	return false;
}

static bool is_known(const struct files *files, const char *path)
{
	for (uint32_t i = 0; i < files->count; i++)
		if (file_is_same(files->items[i].path, path))
			return true;
	return false;
}

/* Read the file PATH and append it to the list, which frees PATH later.  A PDB file is mapped, not read, because its
   reader needs only parts of it, and copies them.  Returns false after a message. */
static bool read_whole(struct files *files, char *path, bool pdb, bool named)
{
	struct file_content file;
	if (pdb ? file_map(path, &file) : file_read(path, &file))
		return append_file(files, path, &file, named);
	free(path);
	return false;
}

/* As read_whole(); but if ANY_KIND is false, read only the beginning of a file that is no image, ELF or PDB file.  From
   this beginning, the child can say in a warning what the file is. */
static bool read_file(struct files *files, char *path, bool any_kind)
{
	char head[DEBUG_HEAD_SIZE];
	size_t size = any_kind ? 0 : file_read_head(path, head, sizeof head);
	if (any_kind || is_image_or_elf(head, size) || rs_debug_head_is_pdb(head, size))
		return read_whole(files, path, rs_debug_head_is_pdb(head, size), false);
	struct file_content beginning = { .bytes = malloc(DEBUG_HEAD_SIZE), .size = size };
	if (beginning.bytes)
		memcpy(beginning.bytes, head, size);
	return append_file(files, path, &beginning, false);
}

bool files_add(struct files *files, const char *directory, size_t length, const char *name, uint64_t most,
	       const char *image)
{
	struct strbuf path = { .length = 0 };
	strbuf_add_bytes(&path, directory, length);
	if (length && directory[length - 1] != '/')
		strbuf_add_char(&path, '/');
	strbuf_add(&path, name);
	if (path.no_memory) {
		strbuf_clear(&path);
		diag_no_memory();
		return false;
	}
	if (is_readable(files, path.bytes, most, !image) &&
	    !(image && (file_is_same(path.bytes, image) || is_known(files, path.bytes))))
		return read_file(files, path.bytes, !image);
	strbuf_clear(&path);
	return true;
}

bool files_add_named(struct files *files, const char *path)
{
	char head[DEBUG_HEAD_SIZE];
	size_t size = file_read_head(path, head, sizeof head);
	struct strbuf copy = { .length = 0 };
	strbuf_add(&copy, path);
	return copy.no_memory ? diag_out_of_memory()
			      : read_whole(files, copy.bytes, rs_debug_head_is_pdb(head, size), true);
}

void files_clear(struct files *files)
{
	for (uint32_t i = 0; i < files->count; i++) {
		const union {
			const void *from;
			void *to;
		} path = { files->items[i].path }, bytes = { files->items[i].bytes };
		struct file_content file = { .bytes = bytes.to,
					     .size = files->items[i].size,
					     .mapped = files->items[i].mapped,
					     .fd = files->items[i].fd };
		free(path.to);
		file_clear(&file);
	}
	free(files->items);
}

/* ----------------------------------------------------------------------------------------------------- all files */

struct files_search {
	struct files *files;
	const struct places *places;
	struct listings *listings;
	bool good; /* false after a message */
};

static void try_path(struct files_search *search, const char *directory, const char *name)
{
	search->good = search->good && files_add(search->files, directory, strlen(directory), name, FILE_SIZE_MAX,
						 search->places->image);
}

/* Add the file NAME if it is in DIRECTORY; names of PDB files are compared without regard to case. */
static void try_name(struct files_search *search, const char *directory, const struct debug_name *name)
{
	char *found = NULL;
	if (!name->pdb) {
		try_path(search, directory, name->name);
	} else if (!rs_listings_find_path(search->listings, directory, name->name, &found)) {
		search->good = diag_out_of_memory();
	} else if (found) {
		try_path(search, "", found);
	}
	rossym_free(found);
}

static bool take_stored(void *context, const char *path)
{
	try_path(context, "", path);
	return false;
}

/* Add the file called NAME if it is in the symbol store DIRECTORY. */
static void try_store(struct files_search *search, const char *directory, const struct debug_name *name)
{
	const struct symbol_store_wanted wanted = { .name = name->name, .key = name->key };
	if (!rs_symbol_store_find(search->listings, directory, &wanted, take_stored, search))
		search->good = diag_out_of_memory();
}

/* Add the files called NAME beside the image. */
static void try_beside(struct files_search *search, const struct debug_name *name)
{
	const char *image = search->places->image;
	for (const char *const *place = rs_debug_names_beside; *place && name->name[0] && search->good; place++) {
		struct strbuf directory = { .length = 0 };
		strbuf_add_bytes(&directory, image, (size_t)(rs_path_base(image) - image));
		strbuf_add(&directory, *place);
		if (directory.no_memory)
			search->good = diag_out_of_memory();
		else
			try_name(search, directory.bytes ? directory.bytes : "", name);
		strbuf_clear(&directory);
	}
}

/* Add the files called NAME at all places.  False after a message. */
static bool find_name(struct files *files, const struct debug_name *name, const struct places *places,
		      struct listings *listings)
{
	struct files_search search = { .files = files, .places = places, .listings = listings, .good = true };
	try_beside(&search, name);
	for (uint32_t i = 0; i < places->directory_count && search.good; i++) {
		const char *directory = places->directories[i];
		if (name->name[0])
			try_name(&search, directory, name);
		if (name->key[0] && search.good)
			try_store(&search, directory, name);
		if (name->build_id[0])
			try_path(&search, directory, name->build_id);
	}
	if (places->recorded && name->recorded[0])
		try_path(&search, "", name->recorded);
	return search.good;
}

bool files_find(struct files *files, const struct file_content *image, const struct places *places)
{
	const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	struct rossym_image *opened;
	struct rossym_section section;
	struct debug_names names = { .count = 0 };
	struct listings listings = { .count = 0 };
	bool good = true;
	/* Ignore errors here: making the table will fail for the same reason, with a message. */
	if ((image->mapped ? rossym_open_fd(image->fd, &options, &opened, NULL)
			   : rossym_open_memory(image->bytes, image->size, &options, &opened, NULL)) < 0)
		return true;
	if (rossym_find_section(opened, ".rossym", &section, NULL) <= 0)
		rs_debug_names_make(&names, opened, places->image);
	rossym_close(opened);
	for (unsigned i = 0; i < names.count && good; i++)
		good = find_name(files, &names.items[i], places, &listings);
	rs_listings_clear(&listings);
	return good;
}
