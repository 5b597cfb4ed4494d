// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/dumps/dump-images.h"
#include "log/find/debug-files.h"
#include "tool/array.h"
#include "tool/files/file.h"
#include "search/symbol-store.h"
#include "core/bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dump_image {
	const struct rossym_module *module; /* the module in the set; NULL: its image was not searched for or found */
	const struct file *file;	    /* the file of the module's image */
	struct debug_files pdbs;	    /* files that may be the image's PDB file, if `searched` */
	bool searched;
	const struct file *pdb; /* the file in `pdbs` that was chosen last; NULL: none */
};

/* -------------------------------------------------------------------------------- files that are offered to the set */

/* The state of offering the set (rossym-set.h) files that may be the image of one module. */
struct image_offer {
	struct index *index;
	struct rossym_candidates *candidates;
	struct rossym_error *err;
	int status; /* 0; -1 after an error */
	bool any;   /* a file has been offered */
};

static void offer_file(struct image_offer *offer, struct file *file)
{
	const struct rossym_candidate candidate = { .size = sizeof candidate, .file = file, .order = file->order };
	offer->any = true;
	if (offer->status == 0)
		offer->status = rossym_set_offer(offer->candidates, &candidate, offer->err);
}

/* Offer the file PATH, which rs_symbol_store_find_files() has found.  Returns true, so that the search goes on. */
static bool offer_file_of_store(void *context, const char *path)
{
	struct image_offer *offer = context;
	struct file *file = index_get_outside_file(offer->index, path);
	if (file)
		offer_file(offer, file);
	return true;
}

/* Offer the files of those places that are symbol stores, where the directory of a file is named after DateStamp and
   length. */
static void offer_files_of_stores(struct image_offer *offer, const struct rossym_wanted *wanted)
{
	char key[32];
	const struct symbol_store_wanted stored = { .name = wanted->name, .key = key };
	struct index *index = offer->index;
	snprintf(key, sizeof key, "%08" PRIX32 "%" PRIx64, wanted->time_date_stamp, wanted->length);
	for (size_t i = 0; i < index->places.count && !wanted->suffix; i++)
		if (!rs_symbol_store_find_files(&index->listings, index->places.items[i], &stored, offer_file_of_store,
						offer))
			break;
}

/* Whether NAME, a module's name in the dump, can be FILE, the name of a file.  A "_" in NAME may have
   been a blank (dump-module.c). */
static bool can_name_file(const char *name, const char *file)
{
	while (*name && (*name == *file || (*name == '_' && *file == ' ')))
		name++, file++;
	return *name == *file;
}

/* Offer all indexed files that have the name of the module.  A "_" in NAME may replace a blank.  So index_find() gets
   only what precedes the first "_", and finds all names that begin so. */
static void offer_files_named(struct image_offer *offer, struct modules *modules, const char *name)
{
	size_t count;
	modules_read_index(modules);
	modules->out_of_memory |= !index_add_files_called(offer->index, name);
	const size_t plain = strcspn(name, "_");
	struct file **files = index_find(offer->index, name, name[plain] ? plain : plain + 1, &count);
	for (size_t i = 0; i < count; i++)
		if (can_name_file(name, files[i]->name))
			offer_file(offer, files[i]);
}

/* The function `find` of the set: offers files of symbol stores; if there are none, all with the module's name. */
static int offer_files_for_module(void *context, const struct rossym_wanted *wanted,
				  struct rossym_candidates *candidates, struct rossym_error *err)
{
	const struct dump_image_files *files = context;
	struct image_offer offer = { .index = &files->modules->index, .candidates = candidates, .err = err };
	modules_add_places(files->modules);
	offer_files_of_stores(&offer, wanted);
	if (!offer.any && !wanted->suffix)
		offer_files_named(&offer, files->modules, wanted->name);
	return offer.status;
}

/* The function `open` of the set: opens FILE without symbols, which are not needed. */
static int open_candidate_headers(void *context, void *file, struct rossym_opened *opened, struct rossym_error *err)
{
	const struct dump_image_files *files = context;
	*err = (struct rossym_error){ .code = ROSSYM_EDAMAGED };
	return file_image_unpack_and_open(&files->modules->index, file, ROSSYM_OPEN_HEADERS, opened, NULL) ? 0 : -1;
}

static void release_candidate(void *context, void *content)
{
	const struct dump_image_files *files = context;
	archives_release_content(files->modules->index.archives, content);
}

static bool create_set(struct dump_image_files *files)
{
	const struct rossym_set_options options = {
		.size = sizeof options,
		.most_modules = DUMP_IMAGES,
		.context = files,
		.find = offer_files_for_module,
		.open = open_candidate_headers,
		.release = release_candidate,
	};
	return files->set || rossym_set_create(&options, &files->set, NULL) == 0;
}

/* Returns the open image that the set has chosen for MODULE; NULL if it has chosen none, or cannot open it. */
static struct rossym_image *get_chosen_image(struct dump_image_files *files, const struct rossym_module *module)
{
	struct rossym_answer answer = { .size = sizeof answer };
	return module && rossym_set_lookup_rva(files->set, module, 0, 0, &answer, NULL) >= 0 ? answer.image : NULL;
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

/* Returns the checksum in the PE headers of IMAGE; 0 if it cannot be read. */
static uint32_t read_checksum(struct rossym_image *image)
{
	enum { AT_PE = 60, CHECKSUM = 24 + 64 };
	uint8_t bytes[4];
	if (rossym_read_mapped(image, AT_PE, sizeof bytes, bytes, NULL) < 0 ||
	    rossym_read_mapped(image, rs_le32(bytes) + CHECKSUM, sizeof bytes, bytes, NULL) < 0)
		return 0;
	return rs_le32(bytes);
}

/* Whether IMAGE, whose facts are INFO, is the image of MODULE.  If both have a key, only the keys count.  Otherwise
   length and DateStamp must be equal.  In reproducible builds the DateStamp is 0 and shows nothing; then the checksum
   must be equal, too. */
static bool is_image_of_module(struct rossym_image *image, const struct rossym_info *info,
			       const struct dump_module *module)
{
	const int key = compare_keys(module, image);
	if (key >= 0 || info->size_of_image != module->size || info->time_date_stamp != module->stamp)
		return key > 0;
	return module->stamp != 0 || (module->checksum != 0 && module->checksum == read_checksum(image));
}

/* The function `find` of struct dump_image_source: finds the image of a dump's module NUMBER, and its base. */
static bool find_dump_image(void *context, uint32_t number, const struct dump_module *module, uint64_t *base)
{
	struct dump_image_files *files = context;
	struct rossym_info info = { .size = sizeof info };
	struct rossym_loaded loaded = { .size = sizeof loaded,
					.flags = ROSSYM_LOADED_ANYWHERE,
					.name = module->name,
					.length = module->size,
					.time_date_stamp = module->stamp };
	const struct rossym_module *found;
	if (module->has_key)
		memcpy(loaded.guid, module->key, sizeof loaded.guid);
	if (!files->modules || !create_set(files) || !ARRAY_REACH(files->images, files->room, number) ||
	    rossym_set_add(files->set, &loaded, NULL) < 0 ||
	    rossym_set_find(files->set, module->name, strlen(module->name), &found, NULL) < 0)
		return false;
	struct rossym_image *image = get_chosen_image(files, found);
	if (!image || rossym_get_info(image, &info, NULL) < 0 || !is_image_of_module(image, &info, module))
		return false;
	files->images[number] = (struct dump_image){ .module = found, .file = found->file };
	*base = info.image_base;
	return true;
}

/* ------------------------------------------------------------------------------------------------ bytes of an image */

/* Returns the open image of module NUMBER.  Returns NULL if it was not found, or cannot be opened; or if the set has
   made another choice, because the dump has another module with the same name and DateStamp. */
static struct rossym_image *get_open_image(struct dump_image_files *files, uint32_t number)
{
	const struct dump_image *found = number < files->room ? &files->images[number] : NULL;
	struct rossym_image *image = found ? get_chosen_image(files, found->module) : NULL;
	return image && found->module->file == found->file ? image : NULL;
}

static bool find_section(void *context, uint32_t number, const char *name, uint32_t *rva, uint32_t *size)
{
	struct rossym_image *image = get_open_image(context, number);
	struct rossym_section section;
	if (!image || rossym_find_section(image, name, &section, NULL) <= 0)
		return false;
	*rva = section.rva;
	*size = section.size;
	return true;
}

static void close_pdb(struct dump_image_files *files)
{
	if (files->pdb && files->pdb_fd >= 0)
		close(files->pdb_fd);
	if (files->pdb)
		archives_release_content(files->modules->index.archives, files->pdb_content);
	files->pdb = NULL;
}

/* Unless the PDB file FILE is open already, close the one that is open, and open FILE.  Returns false on errors. */
static bool open_pdb(struct dump_image_files *files, const struct file *file)
{
	struct archives_error why;
	if (file == files->pdb)
		return file;
	close_pdb(files);
	files->pdb = file;
	files->pdb_fd = file->inside ? -1 : open_file(file->path, false);
	files->pdb_content = file->inside ? archives_read_file(files->modules->index.archives, &file->place, &why)
					  : NULL;
	if (files->pdb_content)
		files->pdb_bytes = origin_of_memory(files->pdb_content->bytes, files->pdb_content->size);
	else if (files->pdb_fd < 0 || !origin_of_file(files->pdb_fd, &files->pdb_bytes))
		close_pdb(files);
	return files->pdb;
}

/* Read the SIZE bytes at RVA of image NUMBER, as the loader of Windows maps it.  If NUMBER is DUMP_IMAGES + N, read
   instead the bytes at file offset RVA of the PDB file of image N; bytes that this file does not have become zeros. */
static bool read_image_or_pdb_file(void *context, uint32_t number, uint32_t rva, void *bytes, size_t size)
{
	struct dump_image_files *files = context;
	if (size > UINT32_MAX - rva)
		return false;
	if (number < DUMP_IMAGES) {
		struct rossym_image *image = get_open_image(files, number);
		return image && rossym_read_mapped(image, rva, size, bytes, NULL) == 0;
	}
	number -= DUMP_IMAGES;
	if (number >= files->room || !files->images[number].pdb || !open_pdb(files, files->images[number].pdb))
		return false;
	memset(bytes, 0, size);
	origin_read(&files->pdb_bytes, rva, bytes, size);
	return true;
}

/* ------------------------------------------------------------------------------------------------ PDB files */

/* Store in GUID the GUID of the PDB file that IMAGE names.  Returns false if it names none. */
static bool get_pdb_guid(struct rossym_image *image, uint8_t guid[DUMP_GUID])
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	for (uint32_t i = 0; rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++)
		if (reference.kind == ROSSYM_REFERENCE_PDB) {
			memcpy(guid, reference.guid, DUMP_GUID);
			return true;
		}
	return false;
}

/* Choose candidate CHOICE, counted from 0, as the PDB file of image NUMBER.  Store in *SIZE its size, or 0 if it cannot
   be opened, and in GUID the GUID that it must have.  Returns false if there is no such candidate. */
static bool choose_pdb(void *context, uint32_t number, uint32_t choice, uint8_t guid[DUMP_GUID], uint64_t *size)
{
	struct dump_image_files *files = context;
	struct rossym_image *image = get_open_image(files, number);
	if (!image || !get_pdb_guid(image, guid))
		return false;
	struct dump_image *module = &files->images[number];
	if (!module->searched)
		module->searched = debug_files_find(&module->pdbs, &files->modules->index, module->file, image);
	if (!module->searched || choice >= module->pdbs.count)
		return false;
	module->pdb = module->pdbs.files[choice];
	*size = open_pdb(files, module->pdb) ? files->pdb_bytes.size : 0;
	return true;
}

struct dump_image_source dump_image_files_source(struct dump_image_files *files)
{
	return (struct dump_image_source){ find_dump_image, find_section, read_image_or_pdb_file, choose_pdb, files };
}

void dump_image_files_clear(struct dump_image_files *files)
{
	close_pdb(files);
	rossym_set_destroy(files->set);
	free(files->images);
	*files = (struct dump_image_files){ .modules = files->modules };
}
