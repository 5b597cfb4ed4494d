// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/modules.h"
#include "log/alias.h"
#include "log/chars.h"
#include "tool/diag.h"
#include "tool/open.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	BUCKETS = 1024,
	MOST_MODULES = 8192,		/* names: no system has as many modules */
	MOST_FILES_OPEN = 48,
	LONGEST_NAME = 128,
	MOST_CANDIDATES = 64,		/* files of one name that are worth comparing */
	MANY_LOOKUPS = 64		/* from here on it pays to read a whole table */
};

static const size_t most_bytes_open = (size_t)384 << 20;

/* What is known about a file's content.  The image is NULL while it is not open. */
struct opened {
	struct file *file;
	enum why why;			/* WHY_ANSWERED: it has a table */
	uint32_t stamp;
	uint32_t size_of_image;
	struct rossym_image *image;
	void *content;			/* of an image out of an archive */
	size_t size;
	unsigned lookups;		/* since it was opened */
	bool said_short;		/* the warning that names stay short has been printed */
	struct opened *newer, *older;	/* while it is open */
};

const char *why_text(enum why why)
{
	switch (why) {
	case WHY_ANSWERED:
		return "resolved";
	case WHY_NO_BASE:
		return "no module known at the address";
	case WHY_NO_MODULE:
		return "module not found";
	case WHY_NO_SYMBOLS:
		return "module without .rossym table";
	case WHY_BROKEN:
		return "module cannot be read";
	case WHY_OUTSIDE:
		return "beyond the module's end";
	case WHY_UNKNOWN:
	case WHY_COUNT:
		break;
	}
	return "nothing known about the address";
}

/* ------------------------------------------------------------------------------------------ open images */

static void unlink_open(struct modules *modules, struct opened *opened)
{
	if (opened->newer)
		opened->newer->older = opened->older;
	else
		modules->open = opened->older;
	if (opened->older)
		opened->older->newer = opened->newer;
	opened->newer = opened->older = NULL;
}

static void link_open(struct modules *modules, struct opened *opened)
{
	opened->older = modules->open;
	if (opened->older)
		opened->older->newer = opened;
	modules->open = opened;
}

static void close_image(struct modules *modules, struct opened *opened)
{
	if (!opened->image)
		return;
	unlink_open(modules, opened);
	rossym_close(opened->image);
	opened->image = NULL;
	if (opened->content)
		modules->open_bytes -= opened->size;
	else
		modules->open_files--;
	free(opened->content);
	opened->content = NULL;
}

/* Close what was not used for the longest time, as long as there is too much besides OPENED. */
static void make_way(struct modules *modules, const struct opened *opened)
{
	struct opened *last = modules->open;
	while (last && last->older)
		last = last->older;
	while (last && (modules->open_files > MOST_FILES_OPEN || modules->open_bytes > most_bytes_open)) {
		struct opened *newer = last->newer;
		bool counts = last->content ? modules->open_bytes > most_bytes_open
					    : modules->open_files > MOST_FILES_OPEN;
		if (last != opened && counts)
			close_image(modules, last);
		last = newer;
	}
}

static void say_cannot(const struct file *file, const struct rossym_error *err)
{
	char label[600];
	diag_image(file_label(file, label, sizeof label), err);
}

/* Open the image; false if it cannot be used.  A file without a table is an error only if the user has named it;
   otherwise only -v says why it is of no use. */
static bool open_module(struct modules *modules, struct opened *opened)
{
	struct file *file = opened->file;
	struct rossym_error err;
	int status;
	if (file->inside) {
		struct archives_error why;
		char label[600];
		if (archives_read(modules->index.archives, file->path, &file->place, &opened->content, &opened->size,
				  &why) < 0) {
			diag("%s: %s", file_label(file, label, sizeof label), why.what);
			modules->failed = true;
			opened->why = WHY_BROKEN;
			return false;
		}
		status = rossym_open_memory(opened->content, opened->size, &opened->image, &err);
	} else {
		status = rossym_open(file->path, &opened->image, &err);
	}
	if (status == 0 && (status = rossym_whole_strings(opened->image, &err)) < 0) {
		rossym_close(opened->image);
		opened->image = NULL;
	}
	if (status == 0) {
		struct rossym_info info;
		rossym_get_info(opened->image, &info);
		opened->why = WHY_ANSWERED;
		opened->stamp = info.time_date_stamp;
		opened->size_of_image = info.size_of_image;
		opened->lookups = 0;
		if (opened->content)
			modules->open_bytes += opened->size;
		else
			modules->open_files++;
		link_open(modules, opened);
		make_way(modules, opened);
		return true;
	}
	free(opened->content);
	opened->content = NULL;
	opened->why = err.code == ROSSYM_ENOSYMS || err.code == ROSSYM_ENOTPE || err.code == ROSSYM_EARCHIVE
		    ? WHY_NO_SYMBOLS : WHY_BROKEN;
	bool failed = opened->why == WHY_BROKEN || file->order == 0;
	modules->failed |= failed;
	if (failed || modules->verbose)
		say_cannot(file, &err);
	return false;
}

/* What is known about FILE; NULL: no memory. */
static struct opened *look_into(struct modules *modules, struct file *file)
{
	if (file->opened)
		return file->opened;
	struct opened *opened = calloc(1, sizeof *opened);
	if (!opened)
		return NULL;
	opened->file = file;
	file->opened = opened;
	open_module(modules, opened);
	return opened;
}

/* --------------------------------------------------------------------------------------- choosing a file */

/* Files that may be a module. */
struct candidates {
	struct file *list[MOST_CANDIDATES];
	size_t count;
	size_t exact;		/* so many of them have the very name */
};

static void add_candidate(struct candidates *candidates, struct file *file)
{
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->list[i] == file)
			return;
	if (candidates->count < MOST_CANDIDATES)
		candidates->list[candidates->count++] = file;
}

static void add_named(struct modules *modules, struct candidates *candidates, const char *name)
{
	size_t count, length = strlen(name);
	struct file *files = index_find(&modules->index, name, length + 1, &count);
	for (size_t i = 0; i < count; i++)
		add_candidate(candidates, &files[i]);
}

static void add_pattern(struct modules *modules, struct candidates *candidates, const char *name)
{
	const struct alias *alias;
	for (size_t at = 0; (alias = alias_next(name, &at)) != NULL;) {
		size_t count;
		struct file *files = index_find(&modules->index, alias->prefix, strlen(alias->prefix), &count);
		for (size_t i = 0; i < count; i++)
			if (alias_matches(alias, files[i].name))
				add_candidate(candidates, &files[i]);
	}
}

static void find_candidates(struct modules *modules, const char *name, struct candidates *candidates)
{
	candidates->count = candidates->exact = 0;
	add_named(modules, candidates, name);
	if (!strchr(name, '.')) {
		char full[LONGEST_NAME + 8];
		const char *extension;
		for (size_t i = 0; (extension = alias_extension(i)) != NULL; i++) {
			snprintf(full, sizeof full, "%s%s", alias_debugger_name(name), extension);
			add_named(modules, candidates, full);
			candidates->exact = candidates->count;
			add_pattern(modules, candidates, full);
		}
	} else {
		candidates->exact = candidates->count;
		add_pattern(modules, candidates, name);
	}
}

static bool has_size(const struct opened *opened, uint64_t size)
{
	return (opened->size_of_image + UINT64_C(0xfff)) / 0x1000 == (size + 0xfff) / 0x1000;
}

/* The better a candidate is, the higher: its DateStamp, its size, then whether the user named the file itself. */
static unsigned rank(const struct module *module, const struct opened *opened)
{
	if (!opened || opened->why != WHY_ANSWERED)
		return 0;
	return 1u + (module->stamp && opened->stamp == module->stamp) * 8u +
	       (module->size && has_size(opened, module->size)) * 4u + (opened->file->order == 0) * 2u;
}

static void say_choice(struct module *module, const struct candidates *candidates, unsigned best)
{
	const struct opened *chosen = module->file->opened;
	char label[600], other[600];
	for (size_t i = 0; i < candidates->count && !module->said_choice; i++) {
		const struct opened *opened = candidates->list[i]->opened;
		if (rank(module, opened) != best || opened->file == chosen->file ||
		    (opened->stamp == chosen->stamp && opened->size_of_image == chosen->size_of_image))
			continue;
		module->said_choice = true;
		diag_warning("%s: not the only one, nothing in the log decides; taking %s, not %s", module->name,
			     file_label(chosen->file, label, sizeof label), file_label(opened->file, other, sizeof other));
	}
}

static void say_stamp(struct module *module)
{
	char label[600];
	const struct opened *opened = module->file->opened;
	if (module->said_stamp)
		return;
	module->said_stamp = true;
	diag_warning("%s: the log has DateStamp %08" PRIx32 ", %s has %08" PRIx32, module->name, module->stamp,
		     file_label(opened->file, label, sizeof label), opened->stamp);
}

static void choose(struct modules *modules, struct module *module)
{
	struct candidates candidates;
	unsigned best = 0;
	modules_index(modules);
	find_candidates(modules, module->name, &candidates);
	module->chosen = true;
	module->file = NULL;
	module->other_stamp = false;
	module->why = WHY_NO_MODULE;
	for (size_t i = 0; i < candidates.count; i++) {
		struct opened *opened = look_into(modules, candidates.list[i]);
		unsigned value = rank(module, opened);
		if (value > best) {
			best = value;
			module->file = candidates.list[i];
			module->why = WHY_ANSWERED;
		} else if (best == 0 && opened && i < candidates.exact) {
			if (module->why == WHY_NO_MODULE || opened->why == WHY_BROKEN)
				module->why = opened->why;
		}
	}
	/* What lost was read out of its archive for nothing. */
	for (size_t i = 0; i < candidates.count; i++)
		if (candidates.list[i] != module->file && candidates.list[i]->opened && candidates.list[i]->opened->content)
			close_image(modules, candidates.list[i]->opened);
	if (!module->file)
		return;
	const struct opened *opened = module->file->opened;
	module->other_stamp = module->stamp && opened->stamp != module->stamp;
	if (module->other_stamp)
		say_stamp(module);
	else if (!(best & 8))
		say_choice(module, &candidates, best);
	if (modules->verbose) {
		char label[600];
		diag("%s: %s", module->name, file_label(module->file, label, sizeof label));
	}
}

/* ------------------------------------------------------------------------------------------------ modules */

bool modules_init(struct modules *modules)
{
	*modules = (struct modules){ .buckets = calloc(BUCKETS, sizeof(struct module *)) };
	return modules->buckets != NULL;
}

static bool is_there(struct modules *modules, const char *path)
{
	/* Not stat(): on Windows it does not find "C:\symbols\". */
	if (access(path, F_OK) == 0)
		return true;
	diag("%s: %s", path, strerror(errno));
	modules->failed = true;
	return false;
}

bool modules_add_file(struct modules *modules, const char *path)
{
	return !is_there(modules, path) || index_add_file(&modules->index, path);
}

bool modules_add_directory(struct modules *modules, const char *path)
{
	if (!is_there(modules, path))
		return true;
	const char **list = realloc(modules->directories, (modules->directory_count + 1) * sizeof *list);
	if (!list)
		return false;
	modules->directories = list;
	list[modules->directory_count++] = path;
	return true;
}

void modules_index(struct modules *modules)
{
	if (modules->indexed)
		return;
	modules->indexed = true;
	for (size_t i = 0; i < modules->directory_count; i++)
		if (!index_add_directory(&modules->index, modules->directories[i]))
			modules->failed = true;
	index_sort(&modules->index);
}

void modules_clear(struct modules *modules)
{
	while (modules->open)
		close_image(modules, modules->open);
	for (size_t i = 0; i < modules->index.count; i++)
		free(modules->index.files[i].opened);
	index_clear(&modules->index);
	for (size_t i = 0; i < modules->module_count; i++) {
		free(modules->modules[i]->name);
		free(modules->modules[i]);
	}
	free(modules->modules);
	free(modules->buckets);
	free(modules->directories);
}

static struct module *new_module(struct modules *modules, const char *name, size_t length, struct module **bucket)
{
	if (modules->module_count >= MOST_MODULES) {
		if (!modules->said_too_many)
			diag_warning("more than %d module names in the log; the others are left out", (int)MOST_MODULES);
		modules->said_too_many = true;
		return NULL;
	}
	if (modules->module_count == modules->module_size) {
		size_t size = modules->module_size ? modules->module_size * 2 : 64;
		struct module **list = realloc(modules->modules, size * sizeof *list);
		if (!list)
			return NULL;
		modules->modules = list;
		modules->module_size = size;
	}
	struct module *module = calloc(1, sizeof *module);
	char *copy = malloc(length + 1);
	if (!module || !copy) {
		free(module);
		free(copy);
		return NULL;
	}
	memcpy(copy, name, length);
	copy[length] = '\0';
	module->name = copy;
	module->next = *bucket;
	*bucket = module;
	modules->modules[modules->module_count++] = module;
	return module;
}

struct module *modules_get(struct modules *modules, const char *name, size_t length)
{
	char lower[LONGEST_NAME];
	uint32_t hash = 2166136261u;
	name = base_name(name, &length);
	if (length == 0 || length >= sizeof lower)
		return NULL;
	for (size_t i = 0; i < length; i++) {
		lower[i] = to_lower(name[i]);
		hash = (hash ^ (unsigned char)lower[i]) * 16777619u;
	}
	if (memchr(lower, '\0', length))
		return NULL;
	struct module **bucket = &modules->buckets[hash % BUCKETS];
	for (struct module *module = *bucket; module; module = module->next)
		if (strncmp(module->name, lower, length) == 0 && module->name[length] == '\0')
			return module;
	return new_module(modules, lower, length, bucket);
}

bool modules_is_name(const char *name, size_t length, const char *lower)
{
	name = base_name(name, &length);
	size_t i = 0;
	while (i < length && lower[i] && to_lower(name[i]) == lower[i])
		i++;
	return i == length && lower[i] == '\0';
}

void modules_learn(struct module *module, uint32_t stamp, uint64_t size)
{
	if (stamp && stamp != module->stamp) {
		module->stamp = stamp;
		module->chosen = module->said_stamp = false;
	}
	if (size && size != module->size) {
		module->size = size;
		module->chosen = false;
	}
}

void modules_forget(struct modules *modules)
{
	for (size_t i = 0; i < modules->module_count; i++) {
		struct module *module = modules->modules[i];
		if (module->stamp || module->size) {
			module->stamp = 0;
			module->size = 0;
			module->chosen = false;
		}
	}
}

const struct module *modules_next(const struct modules *modules, size_t *at)
{
	return *at < modules->module_count ? modules->modules[(*at)++] : NULL;
}

static void say_missing(struct modules *modules, struct module *module)
{
	if (module->said_missing)
		return;
	module->said_missing = true;
	if (module->why != WHY_NO_MODULE)
		diag_warning("%s: %s", module->name, why_text(module->why));
	else if (modules->index.count == 0)
		diag_warning("%s: no modules given; see -e and -d", module->name);
	else
		diag_warning("%s: module not found", module->name);
}

enum why modules_lookup(struct modules *modules, struct module *module, uint64_t rva, bool tentative,
			struct rossym_frame *frame)
{
	struct rossym_error err;
	if (!module->chosen)
		choose(modules, module);
	if (!module->file) {
		if (!tentative || module->why != WHY_NO_MODULE)
			say_missing(modules, module);
		return module->why;
	}
	struct opened *opened = module->file->opened;
	if (!opened->image && (opened->why != WHY_ANSWERED || !open_module(modules, opened)))
		return opened->why;
	if (modules->open != opened) {
		unlink_open(modules, opened);
		link_open(modules, opened);
	}
	if (opened->size_of_image && rva >= opened->size_of_image)
		return WHY_OUTSIDE;

	int found = 0;
	if (++opened->lookups == MANY_LOOKUPS && rossym_prepare(opened->image, &err) < 0 && err.code != ROSSYM_ENOMEM)
		found = -1;
	if (found == 0)
		found = rossym_lookup(opened->image, rva, 0, frame, &err);
	if (found < 0) {
		say_cannot(module->file, &err);
		modules->failed = true;
		opened->why = module->why = WHY_BROKEN;
		close_image(modules, opened);
		module->file = NULL;
		module->said_missing = true;
		return WHY_BROKEN;
	}
	if (!opened->said_short && rossym_stayed_short(opened->image, NULL)) {
		char label[600];
		warn_short_names(opened->image, file_label(module->file, label, sizeof label));
		opened->said_short = true;
	}
	return found ? WHY_ANSWERED : WHY_UNKNOWN;
}

struct rossym_image *modules_image(const struct module *module)
{
	return module->file && module->file->opened ? module->file->opened->image : NULL;
}

const char *modules_file(const struct module *module, char *buffer, size_t size)
{
	return module && module->chosen && module->file ? file_label(module->file, buffer, size) : NULL;
}
