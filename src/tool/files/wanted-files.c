// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/wanted-files.h"
#include "compat/bisect.h"
#include "tool/array.h"
#include "search/debug-names.h"
#include "tool/json.h"
#include "tool/mask.h"
#include "search/path.h"
#include "compat/last-part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A limit for hostile logs, which name very many files. */
enum { FILES_MAX = 8192 };

struct wanted_file {
	enum wanted_kind { WANTED_IMAGE, WANTED_PDB, WANTED_DEBUG } kind;
	uint32_t stamp; /* for an image, the time stamp in its headers; 0: not known */
	uint64_t size;
	char id[48]; /* for a PDB file, GUID and age; for a debug file, its build-id or "" */
	char name[DEBUG_NAME_LENGTH_MAX + 1];
};

static int compare_files(const struct wanted_file *a, const struct wanted_file *b)
{
	const int by_name = strcmp(a->name, b->name);
	if (by_name || a->kind != b->kind)
		return by_name ? by_name : a->kind < b->kind ? -1 : 1;
	if (a->stamp != b->stamp)
		return a->stamp < b->stamp ? -1 : 1;
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return strcmp(a->id, b->id);
}

/* Returns the index at which FILE is, or at which it must be inserted. */
static size_t find_wanted_file(const struct wanted_files *files, const struct wanted_file *file)
{
	size_t at;
	BISECT(at, files->count, compare_files(files->items[at], file) < 0);
	return at;
}

static bool is_file_at(const struct wanted_files *files, size_t at, const struct wanted_file *file)
{
	return at < files->count && compare_files(files->items[at], file) == 0;
}

/* Whether NAME is safe to print for other programs: a plain file name without characters that control a terminal. */
static bool is_safe_name(const char *name)
{
	char masked[DEBUG_NAME_LENGTH_MAX + 1];
	snprintf(masked, sizeof masked, "%s", name);
	mask_text(masked, strlen(masked));
	return rs_debug_name_is_plain(name) && strcmp(masked, name) == 0;
}

static void add_wanted_file(struct wanted_files *files, const struct wanted_file *file)
{
	const size_t at = find_wanted_file(files, file);
	if (!is_safe_name(file->name) || is_file_at(files, at, file))
		return;
	if (files->count == FILES_MAX) {
		files->too_many = true;
		return;
	}
	struct wanted_file *copy = ARRAY_GROW(files->items, files->room, files->count) ? malloc(sizeof *copy) : NULL;
	if (!copy) {
		files->no_memory = true;
		return;
	}
	*copy = *file;
	memmove(files->items + at + 1, files->items + at, (files->count++ - at) * sizeof *files->items);
	files->items[at] = copy;
}

static void remove_wanted_file(struct wanted_files *files, const struct wanted_file *file)
{
	const size_t at = find_wanted_file(files, file);
	if (!is_file_at(files, at, file))
		return;
	free(files->items[at]);
	memmove(files->items + at, files->items + at + 1, (--files->count - at) * sizeof *files->items);
}

/* Whether the list has an image with the name of FILE and with its stamp and size; one of these that is 0 fits all. */
static bool has_image_already(const struct wanted_files *files, const struct wanted_file *file)
{
	const size_t at = find_wanted_file(files, file);
	const struct wanted_file *next = at < files->count ? files->items[at] : NULL;
	return next && next->kind == file->kind && strcmp(next->name, file->name) == 0 &&
	       (file->stamp == 0 || next->stamp == file->stamp) && (file->size == 0 || next->size == file->size);
}

void wanted_files_add_image(struct wanted_files *files, const char *name, uint32_t stamp, uint64_t size)
{
	/* Without a time stamp the size is dropped, because different images can have the same size. */
	struct wanted_file file = { .kind = WANTED_IMAGE, .stamp = stamp, .size = stamp ? size : 0 };
	snprintf(file.name, sizeof file.name, "%s", name);
	if (strlen(name) >= sizeof file.name || has_image_already(files, &file))
		return;
	add_wanted_file(files, &file);
	/* Remove the elements for this image that lack the size, or both numbers. */
	if (file.size) {
		file.size = 0;
		remove_wanted_file(files, &file);
	}
	if (file.stamp) {
		file.stamp = 0;
		remove_wanted_file(files, &file);
	}
}

void wanted_files_add_symbols(struct wanted_files *files, struct rossym_image *image, const char *path)
{
	struct rossym_debug_reference reference = { .size = sizeof reference };
	struct wanted_file debug = { .kind = WANTED_DEBUG };
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section table;
	char guid[33];
	bool has_debug = false;
	rossym_get_info(image, &info, NULL);
	if (info.kind == ROSSYM_BARE || rossym_find_section(image, ".rossym", &table, NULL) > 0 ||
	    rs_image_has_dwarf_or_stabs(image))
		return;
	snprintf(debug.name, sizeof debug.name, "%s", rs_path_base(path));
	for (uint32_t i = 0; rossym_get_debug_reference(image, i, &reference, NULL) > 0; i++) {
		struct wanted_file pdb = { .kind = WANTED_PDB };
		switch (reference.kind) {
		case ROSSYM_REFERENCE_PDB:
			rs_guid_to_hex(reference.guid, true, guid);
			snprintf(pdb.id, sizeof pdb.id, "%s%" PRIx32, guid, reference.age);
			snprintf(pdb.name, sizeof pdb.name, "%.*s", DEBUG_NAME_LENGTH_MAX,
				 path_last_part(reference.name));
			add_wanted_file(files, &pdb);
			break;
		case ROSSYM_REFERENCE_BUILD_ID:
			rs_guid_to_hex(reference.guid, false, debug.id);
			has_debug = true;
			break;
		case ROSSYM_REFERENCE_DEBUGLINK:
			snprintf(debug.name, sizeof debug.name, "%.*s", DEBUG_NAME_LENGTH_MAX,
				 path_last_part(reference.name));
			has_debug = true;
			break;
		case ROSSYM_REFERENCE_PDB_2: /* an older format of PDB files, which is not read */
			break;
		}
	}
	if (has_debug)
		add_wanted_file(files, &debug);
}

static void make_store_key(const struct wanted_file *file, char *key, size_t size)
{
	char id[48];
	snprintf(id, sizeof id, "%s", file->id);
	if (file->kind == WANTED_IMAGE && !file->stamp)
		snprintf(id, sizeof id, "*");
	else if (file->kind == WANTED_IMAGE && !file->size)
		snprintf(id, sizeof id, "%08" PRIX32 "*", file->stamp);
	else if (file->kind == WANTED_IMAGE)
		snprintf(id, sizeof id, "%08" PRIX32 "%" PRIx64, file->stamp, file->size);
	if (file->kind == WANTED_DEBUG)
		snprintf(key, size, "%s", id);
	else if (strchr(file->name, '.'))
		snprintf(key, size, "%s/%s/%s", file->name, id, file->name);
	else
		*key = '\0'; /* not a file's name, but a debugger's name of a module, such as "nt" */
}

static void print_wanted_file(const struct wanted_file *file, struct out *out, bool as_json)
{
	static const char *const kinds[] = { [WANTED_IMAGE] = "image", [WANTED_PDB] = "pdb", [WANTED_DEBUG] = "debug" };
	char key[2 * sizeof file->name + sizeof file->id + 2];
	make_store_key(file, key, sizeof key);
	if (!as_json) {
		out_text(out, kinds[file->kind]);
		out_char(out, '\t');
		out_text(out, file->name);
		out_char(out, '\t');
		out_text(out, key);
		out_char(out, '\n');
		return;
	}
	struct json json = { .out = out };
	json_open(&json, NULL, '{');
	json_write_text(&json, "kind", kinds[file->kind]);
	json_write_text(&json, "name", file->name);
	json_write_text(&json, "key", key);
	json_close(&json, '}');
	json_end(&json);
}

void wanted_files_print(const struct wanted_files *files, struct out *out, bool json)
{
	for (size_t i = 0; i < files->count; i++)
		print_wanted_file(files->items[i], out, json);
}

void wanted_files_clear(struct wanted_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->items[i]);
	free(files->items);
	*files = (struct wanted_files){ .items = NULL };
}
