// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-modules.c - the modules of a set, what is known about them, and where they are loaded
 *
 * A record (struct rs_set_module) has the facts about one build of a module: DateStamp, GUID, length, path.  A name can
 * have several records; the current one is that for which facts came last.  Records and bases are fixed if they came
 * with ROSSYM_LOADED_FIXED: only facts with this flag change them, and a current record that is fixed stays current
 * until another fixed one replaces it.
 */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image.h"
#include "compat/bisect.h"

#include <string.h>

/* Defaults of struct rossym_set_options.  No system has as many modules as MODULES_MAX. */
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
		return "module without symbols";
	case ROSSYM_WHY_BROKEN:
		return "module cannot be read";
	case ROSSYM_WHY_OUTSIDE:
		return "beyond the module's end";
	case ROSSYM_WHY_UNKNOWN:
		break;
	}
	return "nothing known about the address";
}

int rossym_set_create(const struct rossym_set_options *options, struct rossym_set **ret, struct rossym_error *err)
{
	struct rossym_set_options given = { .size = sizeof given };
	if (options && rs_sized_copy_in(&given, sizeof given, sizeof given, options, err) < 0)
		return -1;
	const bool debug_info = given.open_flags & ROSSYM_OPEN_DEBUG_INFO;
	if (rs_check_flags(given.flags, ROSSYM_SET_SHORT_NAMES, err) < 0 ||
	    rs_check_flags(given.open_flags, debug_info ? ROSSYM_OPEN_DEBUG_INFO | RS_OPEN_OF_DEBUG_INFO : 0, err) < 0)
		return -1;
	struct rossym_set *set = rs_alloc(1, sizeof *set);
	if (!set)
		return rs_fail_memory(err);
	given.most_modules = given.most_modules ? given.most_modules : MODULES_MAX;
	given.most_open = given.most_open ? given.most_open : OPEN_FILES_MAX;
	given.most_bytes = given.most_bytes ? given.most_bytes : most_bytes;
	set->short_names = given.flags & ROSSYM_SET_SHORT_NAMES;
	set->files.options = given;
	set->files.directories = rs_copy_texts(given.directories, given.directory_count);
	if (!set->files.directories) {
		rossym_set_destroy(set);
		return rs_fail_memory(err);
	}
	*ret = set;
	return 0;
}

void rossym_set_destroy(struct rossym_set *set)
{
	if (!set)
		return;
	rs_set_files_clear(&set->files);
	for (uint32_t i = 0; i < set->count; i++) {
		rs_free(set->modules[i]->path);
		rs_free(set->modules[i]);
	}
	rs_free(set->modules);
	rs_free(set->names.slots);
	rs_free(set->bases);
	rs_listings_clear(&set->listings);
	rs_free(set);
}

/* ------------------------------------------------------------------------------------------------ records */

/* Store the file name at the end of NAME, which has LENGTH bytes, in LOWER: with ASCII letters in lower case, and cut
   to RS_MODULE_NAME_LENGTH_MAX bytes.  Returns the length of the file name before it was cut; 0 if it is empty, or if
   the part in LOWER has a NUL. */
static size_t normalize_module_name(const char *name, size_t length, char lower[RS_MODULE_NAME_LENGTH_MAX + 1])
{
	size_t begin = length;
	while (begin > 0 && name[begin - 1] != '/' && name[begin - 1] != '\\')
		begin--;
	name += begin;
	length -= begin;
	size_t kept = length < RS_MODULE_NAME_LENGTH_MAX ? length : RS_MODULE_NAME_LENGTH_MAX;
	for (size_t i = 0; i < kept; i++)
		lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] + ('a' - 'A')) : name[i];
	lower[kept] = '\0';
	return memchr(lower, '\0', kept) ? 0 : length;
}

/* The most records of one name, which keeps searches among them short; no system has so many builds of a module loaded.
   When a name has so many, the facts of a further build replace those of a record that is not fixed, if possible. */
enum { BUILDS_MAX = 16 };

/* Returns the slot of NAME; if NAME is new, the free slot for it.  Stores the hash of NAME in *HASH. */
static struct hash_slot *find_slot_of_name(const struct rossym_set *set, const char *name, uint32_t *hash)
{
	uint32_t at = *hash = (uint32_t)hash_bytes(0, name, strlen(name));
	struct hash_slot *slot;
	do
		slot = hash_find_slot(&set->names, *hash, &at);
	while (slot->number && strcmp(set->modules[slot->number - 1]->name, name) != 0);
	return slot;
}

static struct rs_set_module *create_module(struct rossym_set *set, const char *name, struct rossym_error *err)
{
	if (set->count >= set->files.options.most_modules) {
		rs_fail(err, ROSSYM_EREFUSED, 0, "there are %lu modules already", (unsigned long)set->count);
		return NULL;
	}
	struct rs_set_module *module = rs_alloc(1, sizeof *module);
	if (!module || rs_array_grow(&set->modules, &set->room, set->count, sizeof(struct rs_set_module *)) < 0) {
		rs_free(module);
		rs_fail_memory(err);
		return NULL;
	}
	memcpy(module->name, name, strlen(name) + 1);
	module->known.name = module->name;
	module->known.number = set->count;
	module->known.why = ROSSYM_WHY_NO_MODULE;
	module->other = module;
	set->modules[set->count++] = module;
	set->loaded = false;
	return module;
}

/* Returns the current record of NAME, which is from normalize_module_name(); makes one if there is none.  Returns
   NULL for ROSSYM_ENOMEM or ROSSYM_EREFUSED. */
static struct rs_set_module *find_or_create_module(struct rossym_set *set, const char *name, struct rossym_error *err)
{
	uint32_t hash;
	if (!hash_make_room(&set->names, rs_alloc, rs_free)) {
		rs_fail_memory(err);
		return NULL;
	}
	struct hash_slot *slot = find_slot_of_name(set, name, &hash);
	if (slot->number)
		return set->modules[slot->number - 1];
	struct rs_set_module *module = create_module(set, name, err);
	if (module)
		hash_put_number(&set->names, slot, set->count, hash);
	return module;
}

/* Make MODULE the current record of its name.  A fixed record is replaced only by another fixed record. */
static void make_current_record(struct rossym_set *set, struct rs_set_module *module)
{
	uint32_t hash;
	struct hash_slot *slot = find_slot_of_name(set, module->name, &hash);
	if (!set->modules[slot->number - 1]->fixed || module->fixed)
		slot->number = module->known.number + 1;
}

/* ------------------------------------------------------------------------------------------------ builds */

static bool has_path(const struct rs_set_module *module, const char *path)
{
	return module->path && strcmp(module->path, path) == 0;
}

static const uint8_t no_guid[16];

static bool has_guid(const uint8_t *guid)
{
	return memcmp(guid, no_guid, sizeof no_guid) != 0;
}

enum rs_match rs_compare_guids(const uint8_t *a, const uint8_t *b)
{
	if (!has_guid(a) || !has_guid(b))
		return RS_MATCH_UNKNOWN;
	return memcmp(a, b, sizeof no_guid) == 0 ? RS_MATCH_SAME : RS_MATCH_OTHER;
}

bool rs_has_identity(const struct rossym_module *known)
{
	return known->time_date_stamp || has_guid(known->guid);
}

/* Whether LOADED can be about the build of MODULE: no fact that both have differs. */
static bool may_be_same_build(const struct rs_set_module *module, const struct rossym_loaded *loaded)
{
	uint32_t stamp = module->known.time_date_stamp;
	return rs_compare_guids(module->known.guid, loaded->guid) != RS_MATCH_OTHER &&
	       !(stamp && loaded->time_date_stamp && stamp != loaded->time_date_stamp) &&
	       !(module->path && loaded->path && !has_path(module, loaded->path));
}

/* Whether MODULE is the record for the build of LOADED: they have the same DateStamp, GUID and path (any path if LOADED
   has none), or MODULE has no facts yet. */
static bool is_record_of_build(const struct rs_set_module *module, const struct rossym_loaded *loaded)
{
	const struct rossym_module *known = &module->known;
	if (!rs_has_identity(known) && !module->path)
		return !known->length;
	return known->time_date_stamp == loaded->time_date_stamp &&
	       memcmp(known->guid, loaded->guid, sizeof known->guid) == 0 &&
	       (!loaded->path || has_path(module, loaded->path));
}

/* Returns the record for LOADED, which is about another build than MODULE: another record with the name of MODULE, or a
   new one.  If the name has too many records, returns one whose facts LOADED may replace.  Returns NULL for an error,
   as find_or_create_module() does. */
static struct rs_set_module *find_other_build(struct rossym_set *set, struct rs_set_module *module,
					      const struct rossym_loaded *loaded, struct rossym_error *err)
{
	struct rs_set_module *other = module->other, *replaceable = module->fixed ? NULL : module;
	unsigned builds = 1;
	for (; other != module; other = other->other, builds++) {
		if (is_record_of_build(other, loaded))
			return other;
		if (!other->fixed && !replaceable)
			replaceable = other;
	}
	if (builds >= BUILDS_MAX && replaceable)
		return replaceable;
	other = create_module(set, module->name, err);
	if (other) {
		other->other = module->other;
		module->other = other;
	}
	return other;
}

/* Store the facts of LOADED in MODULE.  If a fact is new, the image will be chosen again.  Returns 0 or -1. */
static int store_facts(struct rossym_set *set, struct rs_set_module *module, const struct rossym_loaded *loaded,
		       struct rossym_error *err)
{
	struct rossym_module *known = &module->known;
	bool fixed = loaded->flags & ROSSYM_LOADED_FIXED;
	bool new_stamp = loaded->time_date_stamp && loaded->time_date_stamp != known->time_date_stamp;
	bool new_length = loaded->length && loaded->length != known->length;
	bool new_path = loaded->path && !has_path(module, loaded->path);
	bool new_guid = has_guid(loaded->guid) && rs_compare_guids(loaded->guid, known->guid) != RS_MATCH_SAME;
	if (module->fixed && !fixed)
		return 0;
	if (new_path) {
		char *copy = rs_copy_text(loaded->path);
		if (!copy)
			return rs_fail_memory(err);
		rs_free(module->path);
		module->path = copy;
	}
	if (new_stamp)
		known->time_date_stamp = loaded->time_date_stamp;
	if (new_length)
		known->length = loaded->length;
	if (new_guid)
		memcpy(known->guid, loaded->guid, sizeof known->guid);
	module->fixed |= fixed && (rs_has_identity(known) || known->length || module->path);
	if (new_stamp || new_length || new_path || new_guid) {
		known->chosen = 0;
		set->loaded = false;
	}
	return 0;
}

/* Store the facts of LOADED, which is about a module called NAME.  MODULE is the record of the module that is known at
   the base of LOADED; NULL: use the current record of NAME.  If LOADED is about another build than MODULE, finds the
   record of that build, or makes one.  Returns the record with the facts, after making it the current record of its
   name.  Returns NULL for an error, as find_or_create_module() does. */
static struct rs_set_module *store_facts_of_build(struct rossym_set *set, struct rs_set_module *module,
						  const char *name, const struct rossym_loaded *loaded,
						  struct rossym_error *err)
{
	if (!module)
		module = find_or_create_module(set, name, err);
	if (module && !may_be_same_build(module, loaded))
		module = find_other_build(set, module, loaded, err);
	if (!module || store_facts(set, module, loaded, err) < 0)
		return NULL;
	make_current_record(set, module);
	return module;
}

static void clear_facts(struct rossym_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		struct rs_set_module *module = set->modules[i];
		if (module->fixed || (!rs_has_identity(&module->known) && !module->known.length && !module->path))
			continue;
		module->known.time_date_stamp = 0;
		memset(module->known.guid, 0, sizeof module->known.guid);
		module->known.length = 0;
		module->known.chosen = 0;
		rs_free(module->path);
		module->path = NULL;
	}
}

/* ------------------------------------------------------------------------------------------------ bases */

/* Bases are sorted by address.  A module whose length is not known reaches up to the next base, but at most 4 GiB, and
   never from user-mode addresses to others.  When a base is added, the bases that it overlaps are removed, except fixed
   ones, which always stay. */

/* Whether ADDRESS is a user-mode address: in 32-bit Windows the lower 2 GiB, in 64-bit Windows the lower 128 TiB.
   Addresses from 2 to 4 GiB are those of a 32-bit kernel. */
static bool is_user_address(uint64_t address)
{
	return address < UINT64_C(0x80000000) || (address > UINT32_MAX && address < UINT64_C(0x0000800000000000));
}

/* Returns how many bases begin at or below ADDRESS. */
static uint32_t count_bases_up_to(const struct rossym_set *set, uint64_t address)
{
	size_t at;
	BISECT(at, set->base_count, set->bases[at].address <= address);
	return (uint32_t)at;
}

/* Returns the base with the greatest address at or below ADDRESS; NULL if there is none, or if its module ends at or
   below ADDRESS. */
static const struct rs_base *find_base(const struct rossym_set *set, uint64_t address)
{
	uint32_t below = count_bases_up_to(set, address);
	const struct rs_base *base = below ? &set->bases[below - 1] : NULL;
	if (!base)
		return NULL;
	/* An image has at most 4 GiB, because SizeOfImage has 32 bits. */
	const uint64_t offset = address - base->address;
	bool inside = base->size ? offset < base->size
				 : offset <= UINT32_MAX && is_user_address(address) == is_user_address(base->address);
	return inside ? base : NULL;
}

/* Returns the base that begins at ADDRESS, or NULL. */
static struct rs_base *find_base_at(const struct rossym_set *set, uint64_t address)
{
	uint32_t below = count_bases_up_to(set, address);
	return below && set->bases[below - 1].address == address ? &set->bases[below - 1] : NULL;
}

static void remove_base(struct rossym_set *set, uint32_t index)
{
	set->base_count--;
	memmove(&set->bases[index], &set->bases[index + 1], (set->base_count - index) * sizeof *set->bases);
}

/* Remove all bases that overlap a module of SIZE bytes at ADDRESS and are not fixed.  If KEEP, the base at ADDRESS
   stays, because it is the base of this module. */
static void remove_overlapped_bases(struct rossym_set *set, uint64_t address, uint64_t size, bool keep)
{
	uint64_t end = address + (size ? size : 1);
	for (uint32_t i = count_bases_up_to(set, end - 1); i-- > 0;) {
		const struct rs_base *base = &set->bases[i];
		bool overlaps = base->address >= address || (base->size && address - base->address < base->size);
		if (overlaps && !base->fixed && !(keep && base->address == address))
			remove_base(set, i);
		else if (base->address < address && base->size && !base->fixed)
			break; /* bases further below end before this one begins, or are fixed */
	}
}

/* Insert BASE.  False: there is no memory. */
static bool insert_base(struct rossym_set *set, const struct rs_base *base)
{
	if (rs_array_grow(&set->bases, &set->base_room, set->base_count, sizeof *set->bases) < 0)
		return false;
	uint32_t at = count_bases_up_to(set, base->address);
	memmove(&set->bases[at + 1], &set->bases[at], (set->base_count - at) * sizeof *set->bases);
	set->bases[at] = *base;
	set->base_count++;
	return true;
}

/* Remove all bases that are not fixed; if USER_ONLY, only those at user-mode addresses or with `user`. */
static void remove_bases(struct rossym_set *set, bool user_only)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < set->base_count; i++) {
		const struct rs_base *base = &set->bases[i];
		if (base->fixed || (user_only && !base->user && !is_user_address(base->address)))
			set->bases[kept++] = *base;
	}
	set->base_count = kept;
}

/* ------------------------------------------------------------------------------------------------ modules */

/* Add the base and the facts of LOADED, a module called NAME.  KNOWN is the base that is in the list at the address of
   LOADED, or NULL.  Returns 0 or -1. */
static int add_base_and_facts(struct rossym_set *set, struct rs_base *known, const char *name,
			      const struct rossym_loaded *loaded, struct rossym_error *err)
{
	bool same = known && strcmp(known->module->name, name) == 0;
	bool fixed = loaded->flags & ROSSYM_LOADED_FIXED, kept = known && known->fixed && !fixed;
	bool user = loaded->flags & ROSSYM_LOADED_USER;
	struct rs_set_module *module = same ? known->module : NULL;
	if (!kept && (!same || loaded->length))
		remove_overlapped_bases(set, loaded->base, loaded->length, same);
	module = store_facts_of_build(set, module, name, loaded, err);
	if (!module)
		return -1;
	if (kept)
		return 0;
	known = find_base_at(set, loaded->base); /* remove_overlapped_bases() can have moved it */
	if (same && known) {
		known->module = module;
		known->fixed |= fixed;
		known->user |= user;
		known->size = loaded->length ? loaded->length : known->size;
		return 0;
	}
	if (set->base_count >= set->files.options.most_modules)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there are %lu bases already", (unsigned long)set->base_count);
	const struct rs_base base = {
		.address = loaded->base, .size = loaded->length, .module = module, .fixed = fixed, .user = user
	};
	return insert_base(set, &base) ? 0 : rs_fail_memory(err);
}

/* Whether LOADED has a fact besides name and base. */
static bool has_facts(const struct rossym_loaded *loaded)
{
	return loaded->time_date_stamp || loaded->length || loaded->path ||
	       rs_compare_guids(loaded->guid, loaded->guid) == RS_MATCH_SAME;
}

/* Store the facts of LOADED, which is about a module called NAME, also under the short names of debuggers: NAME without
   extension, and "nt" for the kernel.  Returns 0 or -1. */
static int store_facts_by_short_name(struct rossym_set *set, const char *name, const struct rossym_loaded *loaded,
				     struct rossym_error *err)
{
	char short_name[RS_MODULE_NAME_LENGTH_MAX + 1];
	if (!set->short_names || !has_facts(loaded))
		return 0;
	const char *dot = strrchr(name, '.');
	if (dot && dot != name) {
		memcpy(short_name, name, (size_t)(dot - name));
		short_name[dot - name] = '\0';
		if (!store_facts_of_build(set, NULL, short_name, loaded, err))
			return -1;
	}
	return strcmp(name, "ntoskrnl.exe") != 0 || store_facts_of_build(set, NULL, "nt", loaded, err) ? 0 : -1;
}

int rossym_set_add(struct rossym_set *set, const struct rossym_loaded *loaded, struct rossym_error *err)
{
	const unsigned known_flags = ROSSYM_LOADED_FIXED | ROSSYM_LOADED_ANYWHERE | ROSSYM_LOADED_USER;
	char name[RS_MODULE_NAME_LENGTH_MAX + 1];
	struct rossym_loaded given;
	if (rs_sized_copy_in(&given, sizeof given, sizeof given, loaded, err) < 0 || rs_check_name(given.name, err) < 0)
		return -1;
	if (given.name_length == 0)
		given.name_length = strlen(given.name);
	if (rs_check_flags(given.flags, known_flags, err) < 0)
		return -1;
	if (normalize_module_name(given.name, given.name_length, name) == 0)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module's name is empty, or has a NUL");
	if (given.flags & ROSSYM_LOADED_ANYWHERE)
		return store_facts_of_build(set, NULL, name, &given, err)
			       ? store_facts_by_short_name(set, name, &given, err)
			       : -1;
	if (given.length > UINT64_MAX - given.base)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module goes beyond the end of the address space");
	if (add_base_and_facts(set, find_base_at(set, given.base), name, &given, err) < 0) {
		/* Without a base for this module, addresses in it would be taken for addresses in the module below, if
		   the length of that is not known.  So remove all bases that are not fixed. */
		remove_bases(set, false);
		return -1;
	}
	return store_facts_by_short_name(set, name, &given, err);
}

int rossym_set_forget(struct rossym_set *set, unsigned flags, struct rossym_error *err)
{
	if (flags > ROSSYM_FORGET_IMAGES)
		return rs_check_flags(flags, 0, err);
	if (flags & ROSSYM_FORGET_IMAGES) {
		for (uint32_t i = 0; i < set->count; i++)
			set->modules[i]->known.chosen = 0;
		rs_listings_clear(&set->listings);
	} else {
		remove_bases(set, flags & ROSSYM_FORGET_USER);
	}
	if (!flags)
		clear_facts(set);
	set->loaded = false;
	return 0;
}

int rossym_set_find(struct rossym_set *set, const char *name, size_t length, const struct rossym_module **module,
		    struct rossym_error *err)
{
	char lower[RS_MODULE_NAME_LENGTH_MAX + 1];
	if (rs_check_name(name, err) < 0)
		return -1;
	length = normalize_module_name(name, length, lower);
	if (length == 0 || length > RS_MODULE_NAME_LENGTH_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a module's name is empty, too long, or has a NUL");
	const struct rs_set_module *found = find_or_create_module(set, lower, err);
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

uint64_t rs_set_get_end(const struct rs_set_module *module)
{
	const bool known = module->known.chosen && module->file && module->file->size_of_image;
	return known ? module->file->size_of_image : UINT64_MAX;
}

int rossym_set_locate(const struct rossym_set *set, uint64_t address, const struct rossym_module **module,
		      uint64_t *rva)
{
	const struct rs_base *base = find_base(set, address);
	if (!base || (!base->size && address - base->address >= rs_set_get_end(base->module)))
		return 0;
	*module = &base->module->known;
	*rva = address - base->address;
	return 1;
}
