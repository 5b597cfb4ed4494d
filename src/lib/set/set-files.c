// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-files.c - all files that a set has ever opened, and which of them are open now
 *
 * The facts about a file are kept.  Its image is opened when it is needed.  The number of open images and their memory
 * are limited: if a limit is exceeded, the least recently used images are closed.
 */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/image.h"
#include "lib/base/array.h"

#include <string.h>

enum { GRADE_DEBUG_INFO = 1 };

struct rs_set_file *rs_set_find_or_add_file(struct rs_set_files *files, const char *path, void *handle)
{
	const uint32_t hash = (uint32_t)(path ? hash_bytes(0, path, strlen(path)) : hash_number(0, (uintptr_t)handle));
	uint32_t at = hash;
	struct hash_slot *slot;
	if (!hash_make_room(&files->table, rs_alloc, rs_free) ||
	    rs_array_grow(&files->items, &files->room, files->count, sizeof *files->items) < 0)
		return NULL;
	while ((slot = hash_find_slot(&files->table, hash, &at))->number) {
		struct rs_set_file *known = files->items[slot->number - 1];
		if (path ? known->path && strcmp(known->path, path) == 0 : !known->path && known->handle == handle)
			return known;
	}
	struct rs_set_file *file = rs_alloc(1, sizeof *file);
	if (!file)
		return NULL;
	if (path && !(file->path = rs_copy_text(path))) {
		rs_free(file);
		return NULL;
	}
	if (!path)
		file->handle = handle;
	files->items[files->count++] = file;
	hash_put_number(&files->table, slot, files->count, hash);
	return file;
}

/* ------------------------------------------------------------------------------------------------ open images */

/* Whether the image of FILE, which is open, keeps a file open; else all its bytes are in memory. */
static bool keeps_file_open(const struct rs_set_file *file)
{
	return file->opened.bytes == 0;
}

void rs_set_file_close(struct rs_set_files *files, struct rs_set_file *file)
{
	struct rs_set_file **at = &files->open;
	if (!file->opened.image)
		return;
	while (*at != file)
		at = &(*at)->next_open;
	*at = file->next_open;
	files->open_bytes -= file->opened.bytes + file->made_bytes;
	files->open_count -= keeps_file_open(file);
	rossym_close(file->opened.image);
	if (file->opened.content && files->options.release)
		files->options.release(files->options.context, file->opened.content);
	file->opened = (struct rossym_opened){ .image = NULL };
	file->made_bytes = 0;
}

/* Whether FILE, which is open, contributes to exceeding a limit: that of open files, or that of bytes. */
static bool exceeds_limit(const struct rs_set_files *files, const struct rs_set_file *file)
{
	bool has_bytes = file->opened.bytes > 0 || file->made_bytes > 0;
	return (keeps_file_open(file) && files->open_count > files->options.most_open) ||
	       (has_bytes && files->open_bytes > files->options.most_bytes);
}

/* If FILE contributes to exceeding a limit, close other images that do so, too, the least recently used first. */
static void close_other_images(struct rs_set_files *files, const struct rs_set_file *file)
{
	struct rs_set_file *oldest = NULL;
	if (!exceeds_limit(files, file))
		return;
	do {
		if (oldest)
			rs_set_file_close(files, oldest);
		oldest = NULL;
		for (struct rs_set_file *other = files->open; other; other = other->next_open)
			if (other != file && exceeds_limit(files, other) && (!oldest || other->used < oldest->used))
				oldest = other;
	} while (oldest);
}

int rs_set_file_handle_failure(struct rs_set_files *files, struct rs_set_file *file, const struct rossym_error *reason,
			       struct rossym_error *err)
{
	if (reason->code == ROSSYM_ENOMEM)
		return rs_fail_with(err, reason);
	bool useless = reason->code == ROSSYM_ENOSYMS || reason->code == ROSSYM_ENOTPE ||
		       reason->code == ROSSYM_EARCHIVE;
	rs_set_file_close(files, file);
	file->known = true;
	file->why = useless ? ROSSYM_WHY_NO_SYMBOLS : ROSSYM_WHY_BROKEN;
	file->error = *reason;
	return 0;
}

/* Open the image of FILE by its path; without a path, by the callback `open`.  If an image with a path has no table,
   its debug information answers, which is a worse grade.  Returns 0 or -1. */
static int open_image(const struct rs_set_files *files, struct rs_set_file *file, struct rossym_error *err)
{
	const struct rossym_set_options *given = &files->options;
	const struct rossym_open_options options = { .size = sizeof options,
						     .flags = ROSSYM_OPEN_WHOLE_STRINGS | given->open_flags,
						     .debug_directories = (const char *const *)files->directories,
						     .debug_directory_count = given->directory_count };
	struct rossym_opened opened = { .image = NULL };
	/* Store an error for the case that `open` fails without storing one. */
	rs_fail_errno(err, 0, "cannot open");
	if (file->path ? rossym_open(file->path, &options, &opened.image, err) < 0
		       : given->open(given->context, file->handle, &opened, err) < 0)
		return -1;
	if (file->path && opened.image->demand)
		opened.grade = GRADE_DEBUG_INFO;
	file->opened = opened;
	return 0;
}

/* Whether IMAGE has sections of code, but none of them has bytes in the file: `objcopy
   --only-keep-debug` makes such files. */
static bool is_debug_only(struct rossym_image *image)
{
	struct rossym_section section;
	bool code = false;
	for (uint32_t i = 0; rossym_get_section(image, i, &section, NULL) > 0; i++)
		if (rossym_section_is_code(&section)) {
			if (section.raw_offset != 0 && section.raw_size != 0)
				return false;
			code = true;
		}
	return code;
}

/* Store the first GUID of the image of FILE.  If the GUID cannot be read, file->guid stays zeros. */
static void store_guid(struct rs_set_file *file)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	for (uint32_t i = 0; rossym_get_debug_reference(file->opened.image, i, &reference, NULL) > 0; i++)
		if (reference.kind == ROSSYM_REFERENCE_PDB || reference.kind == ROSSYM_REFERENCE_BUILD_ID) {
			memcpy(file->guid, reference.guid, sizeof file->guid);
			return;
		}
}

/* Store the facts about FILE, whose image is open. */
static void store_facts(struct rs_set_file *file)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(file->opened.image, &info, NULL);
	file->known = true;
	file->why = ROSSYM_WHY_ANSWERED;
	file->stamp = info.time_date_stamp;
	file->size_of_image = info.size_of_image;
	file->machine = info.machine;
	file->grade = file->opened.grade;
	file->debug_only = is_debug_only(file->opened.image);
	file->lookups = 0;
	store_guid(file);
}

int rs_set_file_open(struct rs_set_files *files, struct rs_set_file *file, bool keep, struct rossym_error *err)
{
	struct rossym_error reason;
	if (file->known && file->why != ROSSYM_WHY_ANSWERED)
		return 0;
	file->used = ++files->uses;
	if (file->opened.image)
		return 0;
	if (open_image(files, file, &reason) < 0)
		return rs_set_file_handle_failure(files, file, &reason, err);
	store_facts(file);
	file->next_open = files->open;
	files->open = file;
	files->open_bytes += file->opened.bytes;
	files->open_count += keeps_file_open(file);
	if (!keep)
		close_other_images(files, file);
	return 0;
}

int rs_set_file_look_up(struct rs_set_file *file, const uint64_t *rvas, size_t count, unsigned flags,
			struct rossym_frame *frames, struct rossym_found *found, struct rossym_error *err)
{
	memset(found, 0, count * sizeof *found);
	if (!file->opened.look_up)
		return rossym_lookup_many(file->opened.image, rvas, count, flags, frames, err);
	/* Store an error for the case that `look_up` fails without storing one. */
	rs_fail_errno(err, 0, "cannot look up");
	if (file->opened.look_up(&file->opened, rvas, count, flags, found, err) < 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		frames[i] = found[i].count > 0 ? found[i].frames[0] : (struct rossym_frame){ .function = NULL };
	return 0;
}

void rs_set_file_count_made_bytes(struct rs_set_files *files, struct rs_set_file *file)
{
	const struct rossym_image *image = file->opened.image;
	const size_t bytes = image && image->demand ? image->kept.bytes + image->made.size : file->opened.kept;
	if (bytes == file->made_bytes)
		return;
	files->open_bytes += bytes - file->made_bytes;
	file->made_bytes = bytes;
	close_other_images(files, file);
}

int rs_set_file_prepare(struct rs_set_files *files, struct rs_set_file *file, bool load, size_t count,
			struct rossym_error *err)
{
	struct rossym_image *image = file->opened.image;
	struct rossym_error reason = { .code = ROSSYM_OK };
	bool good;
	if (load && file->opened.look_up)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a function of the program answers for an image");
	file->lookups += count;
	if (load)
		/* Read the block now, so that no look-up has to.  A damaged one is no failure: they work without it. */
		good = rossym_prepare(image, &reason) == 0 &&
		       (rossym_read_block(image, NULL, &reason) >= 0 || reason.code == ROSSYM_EDAMAGED);
	else
		good = rossym_is_prepared(image) || rossym_prepare_for(image, file->lookups, &reason) >= 0;
	return good ? 0 : rs_set_file_handle_failure(files, file, &reason, err);
}

void rs_set_files_clear(struct rs_set_files *files)
{
	for (uint32_t i = 0; i < files->count; i++) {
		rs_set_file_close(files, files->items[i]);
		rs_free(files->items[i]->path);
		rs_free(files->items[i]);
	}
	rs_free(files->items);
	rs_free(files->table.slots);
	rs_free(files->directories);
}
