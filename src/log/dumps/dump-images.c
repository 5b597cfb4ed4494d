// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dump-images.h"
#include "log/find/debug-files.h"
#include "log/read/chars.h"
#include "tool/array.h"
#include "tool/files/file.h"
#include "tool/files/symbol-store.h"
#include "core/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

/* Of one module.  A file that is not open is opened again when it is needed. */
struct dump_image_file {
	const struct file *file;
	int fd;			    /* -1: it is not open, or in an archive */
	struct content *content;    /* of an archive; or NULL */
	struct rossym_image *image; /* NULL: it is not open, or a PDB file */
};

/* ------------------------------------------------------------------------------------------------ open files */

static void close_image(struct dump_image_files *files, struct dump_image_file *own)
{
	rossym_close(own->image);
	if (own->fd >= 0)
		close(own->fd);
	if (own->content)
		archives_release(files->modules->index.archives, own->content);
	own->image = NULL;
	own->fd = -1;
	own->content = NULL;
}

/* Open the file without looking into it. */
static bool open_bytes(struct dump_image_files *files, struct dump_image_file *own)
{
	struct archives_error why;
	if (own->file->inside)
		own->content = archives_read(files->modules->index.archives, &own->file->place, &why);
	else
		own->fd = open_file(own->file->path, false);
	return own->content || own->fd >= 0;
}

static bool open_image(struct dump_image_files *files, struct dump_image_file *own)
{
	static const struct rossym_open_options headers = { .size = sizeof headers, .flags = ROSSYM_OPEN_HEADERS };
	int status = -1;
	if (open_bytes(files, own))
		status = own->content ? rossym_open_memory(own->content->bytes, own->content->size, &headers,
							   &own->image, NULL)
				      : rossym_open_fd(own->fd, &headers, &own->image, NULL);
	if (status < 0)
		close_image(files, own);
	return status == 0;
}

/* Let the image of module NUMBER be open.  The one that was needed longest ago is closed if there are too many. */
static bool use(struct dump_image_files *files, uint32_t number)
{
	size_t i = 0;
	while (i < files->open_count && files->open[i] != number)
		i++;
	if (i == files->open_count) {
		struct dump_image_file *own = files->files[number];
		if (!(number < DUMP_IMAGES ? open_image(files, own) : open_bytes(files, own)))
			return false;
		if (files->open_count == DUMP_IMAGES_OPEN)
			close_image(files, files->files[files->open[--i]]);
		else
			files->open_count++;
	}
	memmove(files->open + 1, files->open, i * sizeof *files->open);
	files->open[0] = number;
	return true;
}

/* Read up to SIZE bytes at OFFSET of the file; the rest becomes zeros. */
static void read_raw(const struct dump_image_file *own, uint32_t offset, uint8_t *bytes, size_t size)
{
	memset(bytes, 0, size);
	if (own->content) {
		if (offset < own->content->size)
			memcpy(bytes, (const uint8_t *)own->content->bytes + offset,
			       size < own->content->size - offset ? size : own->content->size - offset);
		return;
	}
	for (ssize_t n; size > 0; bytes += n, offset += (uint32_t)n, size -= (size_t)n) {
		do
			n = pread(own->fd, bytes, size, (off_t)offset);
		while (n < 0 && errno == EINTR);
		if (n <= 0)
			break;
	}
}

/* ------------------------------------------------------------------------------------------------ is it the image */

/* Whether the image has a PDB file of the module's key, if both have a key: 1 or 0; -1: one has none. */
static int same_key(const struct dump_module *module, struct rossym_image *image)
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

static uint32_t checksum_of(const struct dump_image_file *own)
{
	enum { AT_PE = 60, CHECKSUM = 24 + 64 };
	uint8_t bytes[4];
	read_raw(own, AT_PE, bytes, sizeof bytes);
	read_raw(own, rs_le32(bytes) + CHECKSUM, bytes, sizeof bytes);
	return rs_le32(bytes);
}

/* Whether OWN, which is open, is the image of MODULE.  Images whose DateStamp is 0, as reproducible builds have it, are
   told apart by their checksums. */
static bool is_image(const struct dump_image_file *own, const struct dump_module *module)
{
	struct rossym_info info = { .size = sizeof info };
	if (rossym_get_info(own->image, &info, NULL) < 0)
		return false;
	const int key = same_key(module, own->image);
	if (key >= 0 || info.size_of_image != module->size || info.time_date_stamp != module->stamp)
		return key > 0;
	return module->stamp != 0 || (module->checksum != 0 && module->checksum == checksum_of(own));
}

/* ------------------------------------------------------------------------------------------------ looking for it */

struct image_search {
	struct dump_image_files *files;
	const struct dump_module *module;
	struct dump_image_file *own;
};

static bool try_file(struct image_search *search, struct file *file)
{
	search->own->file = file;
	if (open_image(search->files, search->own) && is_image(search->own, search->module))
		return true;
	close_image(search->files, search->own);
	return false;
}

static bool take_stored(void *context, const char *path)
{
	struct image_search *search = context;
	struct file *file = index_other(&search->files->modules->index, path);
	return !(file && try_file(search, file));
}

/* Look for the image in the places that are symbol stores. */
static bool find_stored(struct image_search *search, const char *name)
{
	char key[24];
	const struct index *index = &search->files->modules->index;
	const struct symbol_store_wanted wanted = { .name = name, .key = key };
	snprintf(key, sizeof key, "%08" PRIX32 "%" PRIx32, search->module->stamp, search->module->size);
	for (size_t i = 0; i < index->place_count && !search->own->image; i++)
		if (!symbol_store_find(index->places[i], &wanted, take_stored, search))
			break;
	return search->own->image;
}

/* Whether NAME, in which "_" also stands for a blank, as in the report, can be that of a FILE. */
static bool is_name(const char *name, const char *file)
{
	while (*name && (*name == *file || (*name == '_' && *file == ' ')))
		name++, file++;
	return *name == *file;
}

/* Look for it by name. */
static bool find_named(struct image_search *search, const char *name)
{
	size_t count;
	struct modules *modules = search->files->modules;
	modules_index(modules);
	const size_t plain = strcspn(name, "_");
	struct file **files = index_find(&modules->index, name, name[plain] ? plain : plain + 1, &count);
	for (size_t i = 0; i < count && !search->own->image; i++)
		if (is_name(name, files[i]->name))
			try_file(search, files[i]);
	return search->own->image;
}

static bool find(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	struct dump_image_files *files = context;
	struct rossym_info info = { .size = sizeof info };
	char name[DUMP_NAME];
	struct image_search search = { files, module, NULL };
	if (!files->modules || !module->name[0])
		return false;
	struct dump_image_file **all = array_with_index(files->files, &files->room, number, sizeof(void *));
	if (!all)
		return false;
	files->files = all;
	if (all[number] || !(all[number] = search.own = calloc(1, sizeof *search.own)))
		return false; /* no module is looked for twice */
	search.own->fd = -1;
	for (size_t i = 0; i < sizeof name; i++)
		name[i] = to_lower(module->name[i]);
	if (!find_stored(&search, name) && !find_named(&search, name)) {
		search.own->file = NULL;
		return false;
	}
	const bool good = rossym_get_info(search.own->image, &info, NULL) == 0;
	*base = info.image_base;
	close_image(files, search.own);
	return good;
}

/* ------------------------------------------------------------------------------------------------ its bytes */

static struct dump_image_file *found(struct dump_image_files *files, uint32_t number)
{
	if (number >= files->room || !files->files[number] || !files->files[number]->file || !use(files, number))
		return NULL;
	return files->files[number];
}

static bool section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct dump_image_file *own = number < DUMP_IMAGES ? found(context, number) : NULL;
	struct rossym_section section;
	if (!own || rossym_find_section(own->image, name, &section, NULL) <= 0)
		return false;
	*rva = section.rva;
	*size = section.size;
	return true;
}

/* Read what section INDEX of the image has of the SIZE bytes at RVA.  Returns 1; 0: there is no such section; -1: it
   cannot be read. */
static int read_section(struct dump_image_file *own, uint32_t index, uint32_t rva, uint8_t *bytes, uint32_t size)
{
	struct rossym_section section;
	const int status = rossym_get_section(own->image, index, &section, NULL);
	if (status <= 0)
		return status;
	const uint64_t end = (uint64_t)section.rva +
			     (section.raw_size < section.size ? section.raw_size : section.size);
	const uint64_t begin = section.rva > rva ? section.rva : rva;
	const uint64_t last = end < (uint64_t)rva + size ? end : (uint64_t)rva + size;
	if (begin >= last)
		return 1;
	return rossym_read_section(own->image, index, (uint32_t)(begin - section.rva), (size_t)(last - begin),
				   bytes + (begin - rva), NULL) > 0
		       ? 1
		       : -1;
}

/* As the loader puts them there: the headers, sections, and zeros. */
static bool read_image(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	enum { AT_PE = 60, SIZE_OF_HEADERS = 24 + 60, MOST_SECTIONS = 96 }; /* the loader takes no more */
	struct dump_image_file *own = found(context, number);
	uint8_t headers[4];
	int status = 1;
	if (!own || size > UINT32_MAX - rva)
		return false;
	if (number >= DUMP_IMAGES) {
		read_raw(own, rva, bytes, size);
		return true;
	}
	read_raw(own, AT_PE, headers, sizeof headers);
	read_raw(own, rs_le32(headers) + SIZE_OF_HEADERS, headers, sizeof headers);
	const uint32_t end = rs_le32(headers);
	memset(bytes, 0, size);
	if (rva < end)
		read_raw(own, rva, bytes, size < end - rva ? size : end - rva);
	for (uint32_t i = 0; status > 0 && i < MOST_SECTIONS; i++)
		status = read_section(own, i, rva, bytes, (uint32_t)size);
	return status >= 0;
}

/* ------------------------------------------------------------------------------------------------ PDB files */

/* Store the GUID that IMAGE has of its PDB file. */
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

/* Forget that file NUMBER is open. */
static void forget(struct dump_image_files *files, uint32_t number)
{
	for (size_t i = 0; i < files->open_count; i++)
		if (files->open[i] == number) {
			memmove(files->open + i, files->open + i + 1, (--files->open_count - i) * sizeof *files->open);
			break;
		}
	close_image(files, files->files[number]);
}

static bool find_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID])
{
	struct dump_image_files *files = context;
	struct debug_files choices;
	const uint32_t place = number + DUMP_IMAGES;
	const struct dump_image_file *image = number < DUMP_IMAGES ? found(files, number) : NULL;
	if (!image || !guid_of(image->image, guid) ||
	    !debug_files_find(&choices, &files->modules->index, image->file, image->image) || choice >= choices.count)
		return false;
	struct dump_image_file **all = array_with_index(files->files, &files->room, place, sizeof(void *));
	if (!all)
		return false;
	files->files = all;
	if (!all[place] && !(all[place] = calloc(1, sizeof *all[place])))
		return false;
	if (all[place]->file)
		forget(files, place);
	*all[place] = (struct dump_image_file){ .file = choices.files[choice], .fd = -1 };
	return true;
}

struct dump_image_source dump_image_files_source(struct dump_image_files *files)
{
	return (struct dump_image_source){ find, section, read_image, find_pdb, files };
}

void dump_image_files_clear(struct dump_image_files *files)
{
	for (size_t i = 0; i < files->room; i++) {
		if (files->files[i])
			close_image(files, files->files[i]);
		free(files->files[i]);
	}
	free(files->files);
	*files = (struct dump_image_files){ .modules = files->modules };
}
