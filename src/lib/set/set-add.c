// SPDX-License-Identifier: GPL-2.0-or-later
/* set-add.c - the public functions that make sets and say what is loaded */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "lib/base/sized.h"
#include "lib/image.h"
#include "lib/base/array.h"
#include "compat/bisect.h"

#include <stddef.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ bases */

/* Bases are sorted by address.  A module whose length is not known reaches up to the next base, but at most 4 GiB, and
   not from user-mode addresses to others.  When a base is added, those that it overlaps are removed, except fixed ones,
   which always stay. */

/* Whether ADDRESS is a user-mode address: in 32-bit Windows the lower 2 GiB, in 64-bit Windows the lower 128 TiB.
   Addresses from 2 to 4 GiB are those of a 32-bit kernel. */
static bool is_user_address(uint64_t address)
{
	return address < UINT64_C(0x80000000) || (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* Returns how many bases begin at or below ADDRESS. */
static uint32_t count_bases_up_to(const struct rs_bases *bases, uint64_t address)
{
	size_t at;
	BISECT(at, bases->count, bases->list[at].address <= address);
	return (uint32_t)at;
}

/* Returns the base with the greatest address at or below ADDRESS; NULL if there is none, or if its module ends at or
   below ADDRESS. */
static const struct rs_base *find_base(const struct rs_bases *bases, uint64_t address)
{
	uint32_t below = count_bases_up_to(bases, address);
	const struct rs_base *base = below ? &bases->list[below - 1] : NULL;
	if (!base)
		return NULL;
	/* SizeOfImage has 32 bits. */
	const uint64_t offset = address - base->address;
	bool inside = base->size ? offset < base->size
				 : offset <= UINT32_MAX && is_user_address(address) == is_user_address(base->address);
	return inside ? base : NULL;
}

/* Returns the base that begins at ADDRESS, or NULL. */
static struct rs_base *base_at(const struct rs_bases *bases, uint64_t address)
{
	uint32_t below = count_bases_up_to(bases, address);
	return below && bases->list[below - 1].address == address ? &bases->list[below - 1] : NULL;
}

static void drop_base(struct rs_bases *bases, uint32_t index)
{
	bases->count--;
	memmove(&bases->list[index], &bases->list[index + 1], (bases->count - index) * sizeof *bases->list);
}

/* A module of SIZE bytes has been loaded at ADDRESS: remove all bases that overlap it and are not fixed. */
static void make_way(struct rs_bases *bases, uint64_t address, uint64_t size)
{
	uint64_t end = address + (size ? size : 1);
	for (uint32_t i = count_bases_up_to(bases, end - 1); i-- > 0;) {
		const struct rs_base *base = &bases->list[i];
		bool overlaps = base->address >= address || (base->size && address - base->address < base->size);
		if (overlaps && !base->fixed)
			drop_base(bases, i);
		else if (base->address < address && base->size && !base->fixed)
			break;
	}
}

/* Set the size of BASE, which is in the list, and remove all bases that begin in its SIZE bytes and are not fixed. */
static void resize_base_over_others(struct rs_bases *bases, struct rs_base *base, uint64_t size)
{
	base->size = size;
	for (uint32_t i = (uint32_t)(base - bases->list) + 1;
	     i < bases->count && bases->list[i].address - base->address < size;) {
		if (bases->list[i].fixed)
			i++;
		else
			drop_base(bases, i);
	}
}

/* Insert BASE.  False: there is no memory. */
static bool insert_base(struct rs_bases *bases, const struct rs_base *base)
{
	if (rs_array_grow(&bases->list, &bases->room, bases->count, sizeof *bases->list) < 0)
		return false;
	uint32_t at = count_bases_up_to(bases, base->address);
	memmove(&bases->list[at + 1], &bases->list[at], (bases->count - at) * sizeof *bases->list);
	bases->list[at] = *base;
	bases->count++;
	return true;
}

/* Remove all bases that are not fixed.  USER_ONLY: remove only those at user-mode addresses, and those with `user`. */
static void forget_bases(struct rs_bases *bases, bool user_only)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < bases->count; i++) {
		const struct rs_base *base = &bases->list[i];
		if (base->fixed || (user_only && !base->user && !is_user_address(base->address)))
			bases->list[kept++] = *base;
	}
	bases->count = kept;
}

static void clear_bases(struct rs_bases *bases)
{
	rs_free(bases->list);
	*bases = (struct rs_bases){ .list = NULL };
}

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
	clear_bases(&set->bases);
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
		make_way(&set->bases, loaded->base, loaded->length);
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
			resize_base_over_others(&set->bases, known, loaded->length);
		return 0;
	}
	if (set->bases.count >= set->files.options.most_modules)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there are %lu bases already", (unsigned long)set->bases.count);
	struct rs_base base = {
		.address = loaded->base, .size = loaded->length, .module = module, .fixed = fixed, .user = user
	};
	return insert_base(&set->bases, &base) ? 0 : rs_fail_memory(err);
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
	if (add_base(set, base_at(&set->bases, given.base), name, &given, err) < 0) {
		/* If this module has no base, and the length of the module below it is not known, addresses in this
		   module would be taken for addresses in that one.  So forget all bases. */
		forget_bases(&set->bases, false);
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
		forget_bases(&set->bases, flags & ROSSYM_FORGET_USER);
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
	const struct rs_base *base = find_base(&set->bases, address);
	if (!base || is_beyond_image(base, address - base->address))
		return 0;
	*module = &base->module->known;
	*rva = address - base->address;
	return 1;
}
