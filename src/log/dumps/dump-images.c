// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dump-images.h"
#include "log/archive/origin.h"
#include "log/find/debug-files.h"
#include "log/read/chars.h"
#include "tool/array.h"
#include "tool/files/file.h"
#include "search/symbol-store.h"
#include "core/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was found for all modules that are alike. */
struct dump_image_result {
	struct dump_module module; /* with its name in lower case */
	const struct file *file;   /* the image; NULL: none was found */
	uint64_t base;		   /* the image base that it was linked for */
	bool has_pdbs;		   /* `pdbs` has been filled in */
	struct debug_files pdbs;   /* files that may be its PDB file */
};

/* The image or the PDB file of one module.  It can be closed and opened again. */
struct dump_image_file {
	struct dump_image_result *result; /* of the search for the image; NULL: this is a PDB file */
	const struct file *file;	  /* NULL: none was found */
	int fd;				  /* -1: it is not open, or in an archive */
	struct content *content;	  /* it is open and in an archive; else NULL */
	struct origin bytes;		  /* while it is open */
	struct rossym_image *image;	  /* NULL: it is not open, or a PDB file */
};

/* ------------------------------------------------------------------------------------------------ open files */

static void close_image_file(struct dump_image_files *files, struct dump_image_file *entry)
{
	rossym_close(entry->image);
	if (entry->fd >= 0)
		close(entry->fd);
	archives_release(files->modules->index.archives, entry->content);
	entry->image = NULL;
	entry->fd = -1;
	entry->content = NULL;
}

/* Open the file without reading headers.  False: an error. */
static bool open_bytes(struct dump_image_files *files, struct dump_image_file *entry)
{
	struct archives_error why;
	if (entry->file->inside)
		entry->content = archives_read(files->modules->index.archives, &entry->file->place, &why);
	else
		entry->fd = open_file(entry->file->path, false);
	if (entry->content)
		entry->bytes = (struct origin){ .kind = ORIGIN_MEMORY,
						.memory = entry->content->bytes,
						.size = entry->content->size };
	return entry->content || (entry->fd >= 0 && origin_of_file(entry->fd, &entry->bytes));
}

static bool open_image(struct dump_image_files *files, struct dump_image_file *entry)
{
	static const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	int status = -1;
	if (open_bytes(files, entry))
		status = entry->content ? rossym_open_memory(entry->content->bytes, entry->content->size, &headers,
							     &entry->image, NULL)
					: rossym_open_fd(entry->fd, &headers, &entry->image, NULL);
	if (status < 0)
		close_image_file(files, entry);
	return status == 0;
}

static bool is_open(const struct dump_image_file *entry)
{
	return entry->fd >= 0 || entry->content;
}

static void close_all(struct dump_image_files *files)
{
	for (size_t i = 0; i < files->room; i++)
		if (files->files[i])
			close_image_file(files, files->files[i]);
	files->open_count = 0;
}

/* Open file NUMBER, unless it is open.  If DUMP_IMAGES_OPEN are open already, close these.  False: it cannot be
   opened. */
static bool ensure_open(struct dump_image_files *files, uint32_t number)
{
	struct dump_image_file *entry = files->files[number];
	if (is_open(entry))
		return true;
	if (files->open_count == DUMP_IMAGES_OPEN)
		close_all(files);
	const bool good = number < DUMP_IMAGES ? open_image(files, entry) : open_bytes(files, entry);
	if (good)
		files->open_count++;
	else
		close_image_file(files, entry);
	return good;
}

/* Read the SIZE bytes at OFFSET of the file.  Those that it does not have, or that cannot be read, become zeros. */
static void read_raw(const struct dump_image_file *entry, uint32_t offset, uint8_t *bytes, size_t size)
{
	memset(bytes, 0, size);
	origin_read(&entry->bytes, offset, bytes, size);
}

/* ------------------------------------------------------------------------------------------------ comparing images */

/* Compare the key of MODULE (the GUID and age of its PDB file, or a build-id) with the keys that IMAGE has.  Returns 1
   if one of them is equal; 0 if all are different; -1 if MODULE or IMAGE has none. */
static int compare_keys(const struct dump_module *module, struct rossym_image *image)
{
	int same = -1;
	struct rossym_debug_reference reference = { .size = sizeof reference };
	for (uint32_t i = 0; module->has_key && rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++)
		if (reference.kind == ROSSYM_REFERENCE_PDB || reference.kind == ROSSYM_REFERENCE_BUILD_ID) {
			if (memcmp(reference.guid, module->key, 16) == 0 && reference.age == rs_le32(module->key + 16))
				return 1;
			same = 0;
		}
	return same;
}

static uint32_t checksum_of(const struct dump_image_file *entry)
{
	enum { AT_PE = 60, CHECKSUM = 24 + 64 };
	uint8_t bytes[4];
	read_raw(entry, AT_PE, bytes, sizeof bytes);
	read_raw(entry, rs_le32(bytes) + CHECKSUM, bytes, sizeof bytes);
	return rs_le32(bytes);
}

/* Whether the open file ENTRY is the image of MODULE.  If both have a key, only the keys count.  Otherwise length and
   DateStamp must be equal.  In reproducible builds the DateStamp is 0 and tells nothing; then the checksum must be
   equal, too. */
static bool is_image(const struct dump_image_file *entry, const struct dump_module *module)
{
	struct rossym_info info = { .size = sizeof info };
	if (rossym_get_info(entry->image, &info, NULL) < 0)
		return false;
	const int key = compare_keys(module, entry->image);
	if (key >= 0 || info.size_of_image != module->size || info.time_date_stamp != module->stamp)
		return key > 0;
	return module->stamp != 0 || (module->checksum != 0 && module->checksum == checksum_of(entry));
}

/* ----------------------------------------------------------------------------------------------- searching an image */

/* The search for the image of MODULE.  ENTRY->image is set when it has been found. */
struct image_search {
	struct dump_image_files *files;
	const struct dump_module *module;
	struct dump_image_file *entry;
};

static bool try_file(struct image_search *search, struct file *file)
{
	search->entry->file = file;
	if (open_image(search->files, search->entry) && is_image(search->entry, search->module))
		return true;
	close_image_file(search->files, search->entry);
	return false;
}

/* For rs_symbol_store_find(): returns false, which ends the search, if PATH is the image. */
static bool try_stored(void *context, const char *path)
{
	struct image_search *search = context;
	struct file *file = index_file_outside(&search->files->modules->index, path);
	return !(file && try_file(search, file));
}

/* Look for the image in those places that are symbol stores, where its directory is named
   after DateStamp and length. */
static bool find_stored(struct image_search *search, const char *name)
{
	char key[24];
	struct index *index = &search->files->modules->index;
	const struct symbol_store_wanted wanted = { .name = name, .key = key };
	snprintf(key, sizeof key, "%08" PRIX32 "%" PRIx32, search->module->stamp, search->module->size);
	for (size_t i = 0; i < index->place_count && !search->entry->image; i++)
		if (!rs_symbol_store_find(&index->listings, index->places[i], &wanted, try_stored, search))
			break;
	return search->entry->image;
}

/* Whether NAME, a module's name in the dump, can be FILE, the name of a file.  A "_" in NAME may have
   been a blank (dump-module.c). */
static bool can_name_file(const char *name, const char *file)
{
	while (*name && (*name == *file || (*name == '_' && *file == ' ')))
		name++, file++;
	return *name == *file;
}

/* Look for the image by name among all indexed files.  A "_" in NAME may stand for a blank.  So index_find() gets only
   what precedes the first "_", and finds all names that begin so; can_name_file() compares these with NAME. */
static bool find_named(struct image_search *search, const char *name)
{
	size_t count;
	struct modules *modules = search->files->modules;
	modules_read_index(modules);
	modules->out_of_memory |= !index_add_files_called(&modules->index, name);
	const size_t plain = strcspn(name, "_");
	struct file **files = index_find(&modules->index, name, name[plain] ? plain : plain + 1, &count);
	for (size_t i = 0; i < count && !search->entry->image; i++)
		if (can_name_file(name, files[i]->name))
			try_file(search, files[i]);
	return search->entry->image;
}

/* Whether all that decides which file is the image is equal. */
static bool are_alike(const struct dump_module *a, const struct dump_module *b)
{
	return a->stamp == b->stamp && a->size == b->size && a->checksum == b->checksum && a->has_key == b->has_key &&
	       (!a->has_key || memcmp(a->key, b->key, sizeof a->key) == 0) && strcmp(a->name, b->name) == 0;
}

/* Returns the result for modules like MODULE; NULL: no memory.  *NEW becomes true if the result is new: then nothing has
   been looked for yet. */
static struct dump_image_result *get_result(struct dump_image_files *files, const struct dump_module *module, bool *new)
{
	size_t i = 0;
	while (i < files->result_count && !are_alike(&files->results[i]->module, module))
		i++;
	*new = i == files->result_count;
	if (!*new)
		return files->results[i];
	if (!ARRAY_GROW(files->results, files->result_room, files->result_count))
		return NULL;
	struct dump_image_result **results = files->results;
	results[i] = calloc(1, sizeof **results);
	if (!results[i])
		return NULL;
	results[i]->module = *module;
	return files->results[files->result_count++];
}

/* Look for the image that SEARCH describes.  Store what was found in entry->result. */
static void search_image(struct image_search *search)
{
	struct rossym_info info = { .size = sizeof info };
	struct dump_image_file *entry = search->entry;
	const char *name = search->module->name;
	modules_add_places(search->files->modules);
	if ((find_stored(search, name) || find_named(search, name)) && rossym_get_info(entry->image, &info, NULL) == 0)
		entry->result->file = entry->file;
	entry->result->base = info.image_base;
	close_image_file(search->files, entry);
}

static bool find_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	struct dump_image_files *files = context;
	struct dump_module lower = *module;
	bool new;
	struct image_search search = { files, &lower, NULL };
	if (!files->modules || !module->name[0])
		return false;
	if (!ARRAY_REACH(files->files, files->room, number))
		return false;
	struct dump_image_file **all = files->files;
	if (all[number] || !(all[number] = search.entry = calloc(1, sizeof *search.entry)))
		return false; /* each module is looked for once */
	search.entry->fd = -1;
	for (size_t i = 0; i < sizeof lower.name; i++)
		lower.name[i] = to_lower(lower.name[i]);
	search.entry->result = get_result(files, &lower, &new);
	if (!search.entry->result)
		return false;
	if (new)
		search_image(&search);
	search.entry->file = search.entry->result->file;
	*base = search.entry->result->base;
	return search.entry->file;
}

/* ------------------------------------------------------------------------------------------------ bytes of an image */

/* Returns file NUMBER, open; NULL: it was not found, or cannot be opened. */
static struct dump_image_file *get_open(struct dump_image_files *files, uint32_t number)
{
	if (number >= files->room || !files->files[number] || !files->files[number]->file ||
	    !ensure_open(files, number))
		return NULL;
	return files->files[number];
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct dump_image_file *entry = number < DUMP_IMAGES ? get_open(context, number) : NULL;
	struct rossym_section section;
	if (!entry || rossym_find_section(entry->image, name, &section, NULL) <= 0)
		return false;
	*rva = section.rva;
	*size = section.size;
	return true;
}

/* Read the SIZE bytes at RVA as the loader of Windows maps the image.  Of a PDB file, read the bytes at
   the file offset RVA. */
static bool read_image(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	const struct dump_image_file *entry = get_open(context, number);
	if (!entry || size > UINT32_MAX - rva)
		return false;
	if (number < DUMP_IMAGES)
		return rossym_read_mapped(entry->image, rva, size, bytes, NULL) == 0;
	read_raw(entry, rva, bytes, size);
	return true;
}

/* ------------------------------------------------------------------------------------------------ PDB files */

/* Store the GUID of the PDB file that IMAGE names.  False: it names none. */
static bool guid_of(struct rossym_image *image, uint8_t guid[DUMP_GUID])
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	for (uint32_t i = 0; rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++)
		if (reference.kind == ROSSYM_REFERENCE_PDB) {
			memcpy(guid, reference.guid, DUMP_GUID);
			return true;
		}
	return false;
}

/* Set element NUMBER + DUMP_IMAGES of files->files to candidate CHOICE, from 0, for the PDB file of image NUMBER.
   Store its size, or 0 if it cannot be opened, and the GUID that it must have.  False: there is no such candidate. */
static bool find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	struct dump_image_files *files = context;
	const uint32_t place = number + DUMP_IMAGES;
	const struct dump_image_file *image = number < DUMP_IMAGES ? get_open(files, number) : NULL;
	if (!image || !guid_of(image->image, guid))
		return false;
	struct dump_image_result *result = image->result;
	if (!result->has_pdbs)
		result->has_pdbs = debug_files_find(&result->pdbs, &files->modules->index, image->file, image->image);
	if (!result->has_pdbs || choice >= result->pdbs.count)
		return false;
	if (!ARRAY_REACH(files->files, files->room, place))
		return false;
	struct dump_image_file **all = files->files;
	if (!all[place] && !(all[place] = calloc(1, sizeof *all[place])))
		return false;
	if (all[place]->file && is_open(all[place])) {
		close_image_file(files, all[place]);
		files->open_count--;
	}
	*all[place] = (struct dump_image_file){ .file = result->pdbs.files[choice], .fd = -1 };
	const struct dump_image_file *pdb = get_open(files, place);
	*size = pdb ? pdb->bytes.size : 0;
	return true;
}

struct dump_image_source dump_image_files_source(struct dump_image_files *files)
{
	return (struct dump_image_source){ find_image, find_section, read_image, find_pdb, files };
}

void dump_image_files_clear(struct dump_image_files *files)
{
	close_all(files);
	for (size_t i = 0; i < files->room; i++)
		free(files->files[i]);
	for (size_t i = 0; i < files->result_count; i++)
		free(files->results[i]);
	free(files->results);
	free(files->files);
	*files = (struct dump_image_files){ .modules = files->modules };
}
