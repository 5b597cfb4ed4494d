// SPDX-License-Identifier: GPL-2.0-or-later
/* set-modules.c - the facts about modules: a record for each build of each name */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <string.h>

/* The most records of one name, so that the search for the right one stays short; no system has as many builds loaded.
   After that, the facts of another build replace those of a record that is not fixed, if there is one. */
enum { BUILDS_MAX = 16 };

/* Returns 0, or -1 and an error if no module can be added, because there are most_modules already. */
static int check_module_count(const struct rossym_set *set, struct rossym_error *err)
{
	if (set->count < set->files.options.most_modules)
		return 0;
	return rs_fail(err, ROSSYM_EREFUSED, 0, "there are %lu modules already", (unsigned long)set->count);
}

static struct rs_set_module *create_module(struct rossym_set *set, const char *name, struct rossym_error *err)
{
	if (check_module_count(set, err) < 0)
		return NULL;
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

struct rs_set_module *rs_set_module(struct rossym_set *set, const char *name, struct rossym_error *err)
{
	const size_t length = strlen(name);
	void **latest = rs_keys_find(&set->names, RS_KEY_NAME, name, length);
	if (latest && *latest)
		return *latest;
	/* Check the limit before adding a key: a log may have any number of names, and keys are never removed. */
	if (check_module_count(set, err) < 0)
		return NULL;
	latest = rs_keys_get(&set->names, RS_KEY_NAME, name, length);
	if (!latest) {
		rs_fail_memory(err);
		return NULL;
	}
	*latest = create_module(set, name, err);
	return *latest;
}

/* Let NAME mean MODULE from now on, unless the record that it means now is fixed and MODULE is not. */
static void set_latest(struct rossym_set *set, const char *name, struct rs_set_module *module)
{
	void **latest = rs_keys_find(&set->names, RS_KEY_NAME, name, strlen(name));
	const struct rs_set_module *before = *latest;
	if (!before->fixed || module->fixed)
		*latest = module;
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

enum rs_match rs_match_guids(const uint8_t *a, const uint8_t *b)
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
	return rs_match_guids(module->known.guid, loaded->guid) != RS_MATCH_OTHER &&
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
	return may_be_same_build(module, loaded) && known->time_date_stamp == loaded->time_date_stamp &&
	       memcmp(known->guid, loaded->guid, sizeof known->guid) == 0 &&
	       (!loaded->path || has_path(module, loaded->path));
}

/* LOADED does not fit MODULE, a record of the same name.  Returns the record for LOADED: another record of that
   name, or a new one.  If the name has too many records, one of them gets the facts of LOADED in place of its own.
   NULL as rs_set_module(). */
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

static bool store_path(struct rs_set_module *module, const char *path)
{
	size_t size = strlen(path) + 1;
	char *copy = rs_alloc(1, size);
	if (!copy)
		return false;
	memcpy(copy, path, size);
	rs_free(module->path);
	module->path = copy;
	return true;
}

/* Store the facts of LOADED in MODULE.  If one of them is new, the image must be chosen again.  Returns 0 or -1. */
static int store_facts(struct rossym_set *set, struct rs_set_module *module, const struct rossym_loaded *loaded,
		       struct rossym_error *err)
{
	struct rossym_module *known = &module->known;
	bool fixed = loaded->flags & ROSSYM_LOADED_FIXED;
	bool new_stamp = loaded->time_date_stamp && loaded->time_date_stamp != known->time_date_stamp;
	bool new_length = loaded->length && loaded->length != known->length;
	bool new_path = loaded->path && !has_path(module, loaded->path);
	bool new_guid = has_guid(loaded->guid) && rs_match_guids(loaded->guid, known->guid) != RS_MATCH_SAME;
	if (module->fixed && !fixed)
		return 0;
	if (new_path && !store_path(module, loaded->path))
		return rs_fail_memory(err);
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

struct rs_set_module *rs_set_learn(struct rossym_set *set, struct rs_set_module *module, const char *name,
				   const struct rossym_loaded *loaded, struct rossym_error *err)
{
	if (!module)
		module = rs_set_module(set, name, err);
	if (module && !may_be_same_build(module, loaded))
		module = find_other_build(set, module, loaded, err);
	if (!module || store_facts(set, module, loaded, err) < 0)
		return NULL;
	set_latest(set, name, module);
	return module;
}

void rs_set_forget_facts(struct rossym_set *set)
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

void rs_set_forget_images(struct rossym_set *set)
{
	for (uint32_t i = 0; i < set->count; i++)
		set->modules[i]->known.chosen = 0;
}

void rs_set_free_modules(struct rossym_set *set)
{
	for (uint32_t i = 0; i < set->count; i++) {
		rs_free(set->modules[i]->path);
		rs_free(set->modules[i]);
	}
	rs_free(set->modules);
	rs_keys_clear(&set->names);
}

/* ------------------------------------------------------------------------------------------------ names */

/* FreeLoader, the boot loader of ReactOS, chooses a kernel, a HAL and a debugger DLL among several files, such as
   halacpi.dll, but always calls them ntoskrnl.exe, hal.dll and kdcom.dll.  WinDbg calls modules by their names without
   extension, and the kernel "nt". */

static const struct rs_alias aliases[] = {
	{ "ntoskrnl.exe", "ntkrnl", ".exe" }, /* ntkrnlmp.exe, ntkrnlpa.exe */
	{ "ntoskrnl.exe", "ntkrpa", ".exe" }, /* ntkrpamp.exe */
	{ "hal.dll", "hal", ".dll" },	      /* halacpi.dll, halapic.dll, halaacpi.dll, halxbox.dll, halpc98.dll */
	{ "kdcom.dll", "kd", ".dll" },	      /* /DEBUGPORT=NAME loads kdNAME.dll */
	/* The file's name has the architecture: systemd-bootx64.efi, linuxaa64.efi.stub */
	{ "systemd-boot.efi", "systemd-boot", ".efi" },
	{ "systemd-stub.efi", "linux", ".efi.stub" },
};

size_t rs_normalize_module_name(const char *name, size_t length, char lower[RS_MODULE_NAME_LENGTH_MAX + 1])
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

const struct rs_alias *rs_alias_next(const char *name, size_t *at)
{
	while (*at < sizeof aliases / sizeof *aliases) {
		const struct rs_alias *alias = &aliases[(*at)++];
		if (strcmp(alias->name, name) == 0)
			return alias;
	}
	return NULL;
}

const char *rs_default_extension(size_t index)
{
	static const char *const extensions[] = { ".exe", ".dll", ".sys", ".drv", ".cpl",
						  ".ocx", ".acm", ".ax",  ".scr", ".efi" };
	return index < sizeof extensions / sizeof *extensions ? extensions[index] : NULL;
}

const char *rs_name_from_debugger(const char *name)
{
	return strcmp(name, "nt") == 0 ? "ntoskrnl" : name;
}

bool rs_strip_extension(const char *name, char short_name[RS_MODULE_NAME_LENGTH_MAX + 1])
{
	const char *dot = strrchr(name, '.');
	if (!dot || dot == name)
		return false;
	memcpy(short_name, name, (size_t)(dot - name));
	short_name[dot - name] = '\0';
	return true;
}
