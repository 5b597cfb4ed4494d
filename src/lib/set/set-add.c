// SPDX-License-Identifier: GPL-2.0-or-later
/* set-add.c - the public functions that make sets and say what is loaded */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/sized.h"
#include "lib/image.h"

#include <stddef.h>
#include <string.h>

/* The defaults of struct rossym_set_options.  No system has so many modules. */
enum { MODULES_MAX = 8192, OPEN_FILES_MAX = 48 };

static const size_t most_bytes = (size_t)384 << 20;

const char *rossym_why_text(enum rossym_why why)
{
	switch (why) {
	case ROSSYM_WHY_ANSWERED:
		return "resolved";
	case ROSSYM_WHY_NO_BASE:
		return "no module known at the address";
	case ROSSYM_WHY_NO_MODULE:
		return "module not found";
	case ROSSYM_WHY_NO_SYMBOLS:
		return "module without .rossym table";
	case ROSSYM_WHY_BROKEN:
		return "module cannot be read";
	case ROSSYM_WHY_OUTSIDE:
		return "beyond the module's end";
	case ROSSYM_WHY_UNKNOWN:
		break;
	}
	return "nothing known about the address";
}

/* Copy the names of directories.  Returns 0; or -1 without memory. */
static int copy_directories(struct rs_set_files *files, struct rossym_error *err)
{
	const struct rossym_set_options *options = &files->options;
	files->directories = rs_alloc(options->directory_count + 1, sizeof *files->directories);
	if (!files->directories)
		return rs_fail_memory(err);
	for (size_t i = 0; i < options->directory_count; i++)
		if (!(files->directories[i] = rs_copy_text(options->directories[i])))
			return rs_fail_memory(err);
	return 0;
}

int rossym_set_create(const struct rossym_set_options *options, struct rossym_set **ret, struct rossym_error *err)
{
	struct rossym_set_options given = { .size = sizeof given };
	if (options && rs_sized_take(&given, sizeof given, sizeof given, options, err) < 0)
		return -1;
	if (given.flags & ~ROSSYM_SET_SHORT_NAMES)
		return rs_fail_flags(err, given.flags & ~ROSSYM_SET_SHORT_NAMES);
	if (rs_check_flags(given.open_flags, ROSSYM_OPEN_DEBUG_INFO | RS_OPEN_OF_DEBUG_INFO, err) < 0)
		return -1;
	if ((given.open_flags & RS_OPEN_OF_DEBUG_INFO) && !(given.open_flags & ROSSYM_OPEN_DEBUG_INFO))
		return rs_fail_flags(err, given.open_flags & RS_OPEN_OF_DEBUG_INFO);
	struct rossym_set *set = rs_alloc(1, sizeof *set);
	if (!set)
		return rs_fail_memory(err);
	given.most_modules = given.most_modules ? given.most_modules : MODULES_MAX;
	given.most_open = given.most_open ? given.most_open : OPEN_FILES_MAX;
	given.most_bytes = given.most_bytes ? given.most_bytes : most_bytes;
	set->short_names = given.flags & ROSSYM_SET_SHORT_NAMES;
	set->files.options = given;
	if (copy_directories(&set->files, err) < 0) {
		rossym_set_destroy(set);
		return -1;
	}
	*ret = set;
	return 0;
}

void rossym_set_destroy(struct rossym_set *set)
{
	if (!set)
		return;
	rs_set_files_clear(&set->files);
	rs_set_free_modules(set);
	rs_bases_clear(&set->bases);
	rs_listings_clear(&set->listings);
	rs_free(set);
}

/* ------------------------------------------------------------------------------------------------ modules */

/* Add the base and the facts of LOADED, a module called NAME.  KNOWN is the entry of the list of bases that begins at
   the same address, or NULL.  Returns 0 or -1. */
static int add_base(struct rossym_set *set, struct rs_base *known, const char *name, const struct rossym_loaded *loaded,
		    struct rossym_error *err)
{
	bool same = known && strcmp(known->module->name, name) == 0;
	bool fixed = loaded->flags & ROSSYM_LOADED_FIXED, kept = known && known->fixed && !fixed;
	bool user = loaded->flags & ROSSYM_LOADED_USER;
	if (!same && !kept)
		rs_bases_make_way(&set->bases, loaded->base, loaded->length);
	struct rs_set_module *module = rs_set_learn(set, same ? known->module : NULL, name, loaded, err);
	if (!module)
		return -1;
	if (kept)
		return 0;
	if (same) {
		known->module = module;
		known->fixed |= fixed;
		known->user |= user;
		if (loaded->length)
			rs_bases_resize(&set->bases, known, loaded->length);
		return 0;
	}
	if (set->bases.count >= set->files.options.most_modules)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there are %lu bases already", (unsigned long)set->bases.count);
	struct rs_base base = {
		.address = loaded->base, .size = loaded->length, .module = module, .fixed = fixed, .user = user
	};
	return rs_bases_insert(&set->bases, &base) ? 0 : rs_fail_memory(err);
}

/* Whether LOADED has a fact besides name and base. */
static bool has_facts(const struct rossym_loaded *loaded)
{
	return loaded->time_date_stamp || loaded->length || loaded->path ||
	       rs_match_guids(loaded->guid, loaded->guid) == RS_MATCH_SAME;
}

/* Store the facts of LOADED, which is about a module called NAME, also under the names that debuggers use for this
   module.  Returns 0 or -1. */
static int learn_short_names(struct rossym_set *set, const char *name, const struct rossym_loaded *loaded,
			     struct rossym_error *err)
{
	char short_name[RS_MODULE_NAME_LENGTH_MAX + 1];
	if (!set->short_names || !has_facts(loaded))
		return 0;
	if (rs_strip_extension(name, short_name) && !rs_set_learn(set, NULL, short_name, loaded, err))
		return -1;
	return strcmp(name, "ntoskrnl.exe") != 0 || rs_set_learn(set, NULL, "nt", loaded, err) ? 0 : -1;
}

int rossym_set_add(struct rossym_set *set, const struct rossym_loaded *loaded, struct rossym_error *err)
{
	const unsigned known_flags = ROSSYM_LOADED_FIXED | ROSSYM_LOADED_ANYWHERE | ROSSYM_LOADED_USER;
	char name[RS_MODULE_NAME_LENGTH_MAX + 1];
	struct rossym_loaded given;
	if (rs_sized_take(&given, sizeof given, sizeof given, loaded, err) < 0 || rs_check_name(given.name, err) < 0)
		return -1;
	if (given.name_length == 0)
		given.name_length = strlen(given.name);
	if (given.flags & ~known_flags)
		return rs_fail_flags(err, given.flags & ~known_flags);
	if (rs_normalize_module_name(given.name, given.name_length, name) == 0)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module's name is empty, or has a NUL");
	if (given.flags & ROSSYM_LOADED_ANYWHERE)
		return rs_set_learn(set, NULL, name, &given, err) ? learn_short_names(set, name, &given, err) : -1;
	if (given.length > UINT64_MAX - given.base)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module goes beyond the end of the address space");
	if (add_base(set, rs_bases_at(&set->bases, given.base), name, &given, err) < 0) {
		/* If this module has no base, and the length of the module below it is not known, addresses in this
		   module would be taken for addresses in that one.  So forget all bases. */
		rs_bases_forget(&set->bases, false);
		return -1;
	}
	return learn_short_names(set, name, &given, err);
}

int rossym_set_forget(struct rossym_set *set, unsigned flags, struct rossym_error *err)
{
	if (flags > ROSSYM_FORGET_IMAGES)
		return rs_fail_flags(err, flags);
	if (flags & ROSSYM_FORGET_IMAGES) {
		rs_set_forget_images(set);
		rs_listings_clear(&set->listings);
	} else {
		rs_bases_forget(&set->bases, flags & ROSSYM_FORGET_USER);
	}
	if (!flags)
		rs_set_forget_facts(set);
	set->loaded = false;
	return 0;
}

int rossym_set_find(struct rossym_set *set, const char *name, size_t length, const struct rossym_module **module,
		    struct rossym_error *err)
{
	char lower[RS_MODULE_NAME_LENGTH_MAX + 1];
	if (rs_check_name(name, err) < 0)
		return -1;
	length = rs_normalize_module_name(name, length, lower);
	if (length == 0 || length > RS_MODULE_NAME_LENGTH_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module's name is empty, too long, or has a NUL");
	const struct rs_set_module *found = rs_set_module(set, lower, err);
	if (!found)
		return -1;
	*module = &found->known;
	return 0;
}

int rossym_set_get_module(const struct rossym_set *set, uint32_t number, const struct rossym_module **module)
{
	if (number >= set->count)
		return 0;
	*module = &set->modules[number]->known;
	return 1;
}

/* Whether the size of BASE is not known, but the image that has been chosen for its module ends at or before OFFSET. */
static bool is_beyond_image(const struct rs_base *base, uint64_t offset)
{
	const struct rs_set_module *module = base->module;
	const struct rs_set_file *file = module->known.chosen ? module->file : NULL;
	return !base->size && file && file->size_of_image && offset >= file->size_of_image;
}

int rossym_set_locate(const struct rossym_set *set, uint64_t address, const struct rossym_module **module,
		      uint64_t *rva)
{
	const struct rs_base *base = rs_bases_find(&set->bases, address);
	if (!base || is_beyond_image(base, address - base->address))
		return 0;
	*module = &base->module->known;
	*rva = address - base->address;
	return 1;
}
