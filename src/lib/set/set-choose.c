// SPDX-License-Identifier: GPL-2.0-or-later
/* set-choose.c - finds the candidates for a module's image, and chooses one of them */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/error.h"
#include "search/path.h"
#include "search/symbol-store.h"
#include "lib/base/alloc.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <inttypes.h>
#include <sys/stat.h>

enum { CANDIDATES_MAX = 64 }; /* the most candidates for a module; more are ignored */

struct candidate {
	struct rs_set_file *file;
	bool user; /* the user named the file: `order` of its struct rossym_candidate is 0 */
	enum rossym_build build;
	bool reason; /* if no candidate is usable, the error of this file may be the reason why there is no image */
	bool opened; /* the file was opened for this choice, and never before */
};

struct rossym_candidates {
	struct rossym_set *set;
	struct rs_set_module *module;
	bool reason; /* the value of `reason` for candidates that are added now */
	struct candidate list[CANDIDATES_MAX];
	size_t count;
	bool same; /* the build of one of the candidates is ROSSYM_BUILD_SAME */
	/* how many candidates have a name of the module.  They come first in `list`; the names of the others only begin
	   with the module's name, which may be cut */
	size_t named;
};

static int add_candidate(struct rossym_candidates *candidates, const char *path, void *handle, bool user,
			 enum rossym_build build, struct rossym_error *err)
{
	struct rs_set_file *file = rs_set_find_or_add_file(&candidates->set->files, path, handle);
	if (!file)
		return rs_fail_memory(err);
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->list[i].file == file)
			return 0;
	if (candidates->count < CANDIDATES_MAX)
		candidates->list[candidates->count++] = (struct candidate){ file, user, build, candidates->reason,
									    false };
	candidates->same |= build == ROSSYM_BUILD_SAME;
	return 0;
}

int rossym_set_offer(struct rossym_candidates *candidates, const struct rossym_candidate *candidate,
		     struct rossym_error *err)
{
	struct rossym_candidate given;
	if (rs_sized_copy_in(&given, sizeof given, sizeof given, candidate, err) < 0)
		return -1;
	if (given.build > ROSSYM_BUILD_OTHER)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a candidate's build is none of enum rossym_build");
	if (!given.path && !candidates->set->files.options.open)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a candidate has no path, and nothing can open it");
	return add_candidate(candidates, given.path, given.file, given.order == 0, given.build, err);
}

/* ------------------------------------------------------------------------------------------------- enumeration */

/* FreeLoader, the boot loader of ReactOS, chooses a kernel, a HAL and a debugger DLL among several files, such as
   halacpi.dll, but always calls them ntoskrnl.exe, hal.dll and kdcom.dll.  A module called `name` may be a file whose
   name begins with `prefix` and ends with `suffix`. */
static const struct {
	const char *name, *prefix, *suffix;
} aliases[] = {
	{ "ntoskrnl.exe", "ntkrnl", ".exe" }, /* ntkrnlmp.exe, ntkrnlpa.exe */
	{ "ntoskrnl.exe", "ntkrpa", ".exe" }, /* ntkrpamp.exe */
	{ "hal.dll", "hal", ".dll" },	      /* halacpi.dll, halapic.dll, halaacpi.dll, halxbox.dll, halpc98.dll */
	{ "kdcom.dll", "kd", ".dll" },	      /* /DEBUGPORT=NAME loads kdNAME.dll */
	/* The file's name has the architecture: systemd-bootx64.efi, linuxaa64.efi.stub */
	{ "systemd-boot.efi", "systemd-boot", ".efi" },
	{ "systemd-stub.efi", "linux", ".efi.stub" },
};

/* The extensions that a name without extension may have had. */
static const char *const extensions[] = {
	".exe", ".dll", ".sys", ".drv", ".cpl", ".ocx", ".acm", ".ax", ".scr", ".efi"
};

/* A search in the directories that are given in the options of a set. */
struct directory_search {
	struct rossym_candidates *candidates;
	struct rossym_error *err;
	int result; /* 0 or -1 */
};

/* Add PATH unless it is a directory: symbol stores give these names of files.  False: an error ends the search. */
static bool add_found_file(void *context, const char *path)
{
	struct directory_search *search = context;
	struct stat st;
	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		search->result = add_candidate(search->candidates, path, NULL, false, ROSSYM_BUILD_UNKNOWN,
					       search->err);
	return search->result == 0;
}

/* Add the entry NAME of DIRECTORY, if it ends with SUFFIX, in upper or lower case, or if SUFFIX is NULL.  A backslash
   ends a directory in names of modules, so no module is called NAME if that has one. */
static void add_matching_entry(struct directory_search *search, const char *directory, const char *name,
			       const char *suffix)
{
	const size_t length = strlen(name), end = suffix ? strlen(suffix) : 0;
	if (end > length || length > RS_MODULE_NAME_LENGTH_MAX || strchr(name, '\\') ||
	    (suffix && strcasecmp(name + length - end, suffix) != 0))
		return;
	char *path = rs_entry_make_path(directory, name);
	if (path)
		add_found_file(search, path);
	else
		search->result = rs_fail_memory(search->err);
	rs_free(path);
}

/* If DIRECTORY is a symbol store, add the files in it that have name, DateStamp and length of WANTED. */
static void add_stored_files(struct directory_search *search, const char *directory, const struct rossym_wanted *wanted)
{
	char key[32];
	const struct symbol_store_wanted stored = { .name = wanted->name, .key = key };
	if (wanted->suffix || !wanted->time_date_stamp || !wanted->length)
		return;
	snprintf(key, sizeof key, "%08" PRIX32 "%" PRIx64, wanted->time_date_stamp, wanted->length);
	if (!rs_symbol_store_find_files(&search->candidates->set->listings, directory, &stored, add_found_file, search))
		search->result = rs_fail_memory(search->err);
}

/* Search the directories of the set for the files that WANTED describes, and add these.  Returns 0 or -1. */
static int search_directories(struct rossym_candidates *candidates, const struct rossym_wanted *wanted,
			      struct rossym_error *err)
{
	struct directory_search search = { .candidates = candidates, .err = err };
	struct rossym_set *set = candidates->set;
	const size_t length = strlen(wanted->name);
	for (size_t i = 0; i < set->files.options.directory_count && search.result == 0; i++) {
		const char *directory = set->files.directories[i];
		char **names;
		size_t count;
		if (!rs_listings_find_names(&set->listings, directory, wanted->name,
					    wanted->suffix ? length : length + 1, &names, &count))
			return rs_fail_memory(err);
		for (size_t k = 0; k < count && search.result == 0; k++)
			add_matching_entry(&search, directory, names[k], wanted->suffix);
		if (search.result == 0)
			add_stored_files(&search, directory, wanted);
	}
	return search.result;
}

/* Add the files called NAME or, with a SUFFIX, those whose names begin with NAME and end with SUFFIX.  The callback
   `find` offers these; without it, they are searched for in the directories.  REASON becomes their `reason`. */
static int search_and_add_files(struct rossym_candidates *candidates, const char *name, const char *suffix, bool reason,
				struct rossym_error *err)
{
	const struct rossym_set_options *options = &candidates->set->files.options;
	const struct rossym_module *known = &candidates->module->known;
	struct rossym_wanted wanted = { name, suffix, known->time_date_stamp, known->length, { 0 } };
	memcpy(wanted.guid, known->guid, sizeof wanted.guid);
	candidates->reason = reason;
	return options->find ? options->find(options->context, &wanted, candidates, err)
			     : search_directories(candidates, &wanted, err);
}

/* Search for files with another name that may be loaded as NAME, as halacpi.dll is loaded as hal.dll.  REASON: if the
   module gets no image, the error of such a file may be the reason.  The caller sets it for a name without extension,
   because "hal" can be any HAL; but for "hal.dll", the reason is that there is no hal.dll. */
static int search_and_add_aliases(struct rossym_candidates *candidates, const char *name, bool reason,
				  struct rossym_error *err)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
		if (strcmp(aliases[i].name, name) == 0 &&
		    search_and_add_files(candidates, aliases[i].prefix, aliases[i].suffix, reason, err) < 0)
			return -1;
	return 0;
}

/* Search for files called NAME; if NAME has no extension, also for NAME with each extension; and for aliases of these.
   Returns 0 or -1. */
static int search_and_add_names(struct rossym_candidates *candidates, const char *name, struct rossym_error *err)
{
	/* Debuggers call the kernel "nt", and modules by their names without extension. */
	const char *stem = strcmp(name, "nt") == 0 ? "ntoskrnl" : name;
	char full[RS_MODULE_NAME_LENGTH_MAX + 16];
	if (search_and_add_files(candidates, name, NULL, true, err) < 0)
		return -1;
	if (strchr(name, '.'))
		return search_and_add_aliases(candidates, name, false, err);
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
		snprintf(full, sizeof full, "%s%s", stem, extensions[i]);
		if (search_and_add_files(candidates, full, NULL, true, err) < 0 ||
		    search_and_add_aliases(candidates, full, true, err) < 0)
			return -1;
	}
	return 0;
}

/* Store the files that may be the image of MODULE in *CANDIDATES.  Returns 0 or -1. */
static int find_candidates(struct rossym_set *set, struct rs_set_module *module, struct rossym_candidates *candidates,
			   struct rossym_error *err)
{
	candidates->set = set;
	candidates->module = module;
	candidates->count = 0;
	candidates->same = false;
	candidates->reason = true;
	if (module->path && add_candidate(candidates, module->path, NULL, true, ROSSYM_BUILD_UNKNOWN, err) < 0)
		return -1;
	if (search_and_add_names(candidates, module->name, err) < 0)
		return -1;
	candidates->named = candidates->count;
	return strlen(module->name) == RS_CUT_NAME ? search_and_add_files(candidates, module->name, "", true, err) : 0;
}

int rs_set_visit_candidates(struct rossym_set *set, const struct rossym_module *module,
			    bool (*take)(void *context, const char *path), void *context, struct rossym_error *err)
{
	struct rossym_candidates candidates;
	if (find_candidates(set, set->modules[module->number], &candidates, err) < 0)
		return -1;
	for (size_t i = 0; i < candidates.count; i++)
		if (candidates.list[i].file->path && !take(context, candidates.list[i].file->path))
			break;
	return 0;
}

/* ------------------------------------------------------------------------------------------------- choice */

/* Whether FILE takes LENGTH bytes in memory.  Compares whole pages, because the loader rounds up to pages, but not
   every caller gives the rounded length. */
static bool has_length(const struct rs_set_file *file, uint64_t length)
{
	return (file->size_of_image + UINT64_C(0xfff)) / 0x1000 == length / 0x1000 + (length % 0x1000 != 0);
}

/* Compare the builds of the module KNOWN and FILE: by GUIDs if both have one; else by DateStamps if KNOWN has one. */
static enum rs_match compare_builds(const struct rossym_module *known, const struct rs_set_file *file)
{
	const enum rs_match guids = rs_compare_guids(known->guid, file->guid);
	if (guids != RS_MATCH_UNKNOWN || !known->time_date_stamp)
		return guids;
	return file->stamp == known->time_date_stamp ? RS_MATCH_SAME : RS_MATCH_OTHER;
}

/* The rank of a candidate is the sum of these numbers, the most important first.  The two lowest bits are RANK_GRADE
   minus the grade of the file (struct rossym_opened): they show how good its symbols are. */
enum {
	RANK_STAMP = 256, /* the file has the module's DateStamp or GUID */
	RANK_BUILD = 64,  /* added twice for CLASS_SAME (below), once for CLASS_UNKNOWN */
	RANK_LENGTH = 32, /* the file has the module's length */
	RANK_USER = 16,	  /* the user named the file */
	RANK_CODE = 8,	  /* the file has the bytes of the code */
	RANK_USABLE = 4,  /* the file has symbols */
	RANK_GRADE = 3
};

/* The class of a candidate: how well its build fits, the best first.  A file of unknown build that the user named is as
   good as one whose build is known to be that of the module. */
enum { CLASS_SAME, CLASS_UNKNOWN, CLASS_OTHER, BUILD_CLASSES };

static unsigned classify_candidate(const struct rossym_candidates *candidates, const struct candidate *candidate)
{
	switch (candidate->build) {
	case ROSSYM_BUILD_SAME:
		return CLASS_SAME;
	case ROSSYM_BUILD_OTHER:
		return CLASS_OTHER;
	case ROSSYM_BUILD_UNKNOWN:
		break;
	}
	return candidate->user && candidates->same ? CLASS_SAME : CLASS_UNKNOWN;
}

static unsigned rank_candidate(const struct rossym_candidates *candidates, const struct candidate *candidate)
{
	const struct rs_set_module *module = candidates->module;
	const struct rossym_module *known = &module->known;
	const struct rs_set_file *file = candidate->file;
	unsigned rank = RANK_USABLE | (RANK_GRADE - (file->grade < RANK_GRADE ? file->grade : RANK_GRADE));
	if (!file->known || file->why != ROSSYM_WHY_ANSWERED)
		return 0;
	rank += RANK_BUILD * (BUILD_CLASSES - 1 - classify_candidate(candidates, candidate));
	if (compare_builds(known, file) == RS_MATCH_SAME)
		rank |= RANK_STAMP;
	if (known->length && has_length(file, known->length))
		rank |= RANK_LENGTH;
	if (candidate->user)
		rank |= RANK_USER;
	if (!file->debug_only)
		rank |= RANK_CODE;
	return rank;
}

/* Whether FILE may be a PE image; also true if FILE cannot be read. */
static bool may_be_image(const struct rs_set_file *file)
{
	return file->why != ROSSYM_WHY_NO_SYMBOLS || file->error.code == ROSSYM_ENOSYMS;
}

/* Returns a candidate that is of another build than the chosen file, and whose rank is at least BEST, the rank of the
   chosen file; NULL if there is none.  Compares only the bits of ranks that are set in COUNTED. */
static const struct rs_set_file *find_rival(const struct rossym_candidates *candidates, unsigned best, unsigned counted)
{
	const struct rs_set_file *chosen = candidates->module->file;
	for (size_t i = 0; i < candidates->count; i++) {
		const struct rs_set_file *file = candidates->list[i].file;
		if ((rank_candidate(candidates, &candidates->list[i]) & counted) >= (best & counted) &&
		    may_be_image(file) &&
		    (file->stamp != chosen->stamp || file->size_of_image != chosen->size_of_image ||
		     file->machine != chosen->machine || rs_compare_guids(file->guid, chosen->guid) == RS_MATCH_OTHER))
			return file;
	}
	return NULL;
}

/* Store the error of FILE as the reason why the module has no image.  A reason that is stored already stays, unless
   FILE is broken, which is a better reason. */
static void store_reason(struct rossym_module *known, const struct rs_set_file *file)
{
	if (known->why != ROSSYM_WHY_NO_MODULE && file->why != ROSSYM_WHY_BROKEN)
		return;
	known->why = file->why;
	known->error = file->error;
}

static void store_rival(struct rossym_module *known, const struct rs_set_file *rival)
{
	known->rival_path = rival ? rival->path : NULL;
	known->rival_file = rival ? rival->handle : NULL;
}

static void store_choice(const struct rossym_candidates *candidates, struct rs_set_module *module, unsigned best)
{
	struct rossym_module *known = &module->known;
	known->path = module->file->path;
	known->file = module->file->handle;
	known->image_stamp = module->file->stamp;
	known->other_stamp = compare_builds(known, module->file) == RS_MATCH_OTHER;
	memcpy(known->image_guid, module->file->guid, sizeof known->image_guid);
	store_rival(known, known->other_stamp || best >= RANK_STAMP
				   ? NULL
				   : find_rival(candidates, best, ~(unsigned)RANK_GRADE));
}

static void clear_choice(struct rs_set_module *module)
{
	struct rossym_module *known = &module->known;
	const struct rossym_module before = *known;
	module->file = NULL;
	*known = (struct rossym_module){ .number = before.number,
					 .name = before.name,
					 .length = before.length,
					 .time_date_stamp = before.time_date_stamp,
					 .why = ROSSYM_WHY_NO_MODULE };
	memcpy(known->guid, before.guid, sizeof known->guid);
}

/* Open the candidates of CLASS, and choose the first with the highest rank, if it is above *BEST: store its rank in
   *BEST and its index in *CHOSEN.  Returns 0 or -1. */
static int choose_in_class(struct rossym_candidates *candidates, struct rs_set_module *module, unsigned class,
			   unsigned *best, size_t *chosen, struct rossym_error *err)
{
	struct rs_set_files *files = &candidates->set->files;
	for (size_t i = 0; i < candidates->count; i++) {
		struct candidate *candidate = &candidates->list[i];
		if (classify_candidate(candidates, candidate) != class)
			continue;
		candidate->opened = !candidate->file->known;
		if (!candidate->file->known && rs_set_file_open(files, candidate->file, false, err) < 0)
			return -1;
		unsigned rank = rank_candidate(candidates, candidate);
		if (rank > *best) {
			*best = rank;
			*chosen = i;
			module->file = candidate->file;
			module->known.why = ROSSYM_WHY_ANSWERED;
		} else if (*best == 0 && candidate->reason) {
			store_reason(&module->known, candidate->file);
		}
	}
	return 0;
}

/* Open candidates, class by class, and choose the first with the highest rank: store its rank in *BEST and its index in
   *CHOSEN.  Once a candidate is usable, one of a worse class can win only by its DateStamp or GUID.  So worse classes
   are not opened if these are unknown for the module, or if a usable candidate has one of them.  For example, of forty
   discs with images of one name, thirty-nine are not read.  Returns 0 or -1. */
static int choose_best(struct rossym_candidates *candidates, struct rs_set_module *module, unsigned *best,
		       size_t *chosen, struct rossym_error *err)
{
	*best = 0;
	for (unsigned class = 0; class < BUILD_CLASSES; class ++) {
		if (choose_in_class(candidates, module, class, best, chosen, err) < 0)
			return -1;
		if (module->file && (!rs_has_identity(&module->known) || *best >= RANK_STAMP))
			break;
	}
	return 0;
}

/* Drop the choice if another candidate fits as well.  Call this if the chosen file has a longer name than MODULE, whose
   name may be cut: then only a DateStamp, a GUID or a length identifies the file. */
static void drop_ambiguous_choice(const struct rossym_candidates *candidates, struct rs_set_module *module,
				  unsigned best)
{
	const struct rs_set_file *rival = find_rival(candidates, best, RANK_STAMP | RANK_LENGTH);
	/* If the list is full, candidates that did not fit into it may be rivals, too. */
	if (!rival && candidates->count == CANDIDATES_MAX)
		rival = candidates->list[CANDIDATES_MAX - 1].file;
	if (!rival)
		return;
	clear_choice(module);
	store_rival(&module->known, rival);
}

int rs_set_choose_image(struct rossym_set *set, struct rs_set_module *module, struct rossym_error *err)
{
	struct rossym_candidates candidates;
	size_t chosen = 0;
	unsigned best;
	clear_choice(module);
	if (find_candidates(set, module, &candidates, err) < 0 ||
	    choose_best(&candidates, module, &best, &chosen, err) < 0)
		return -1;
	if (module->file && chosen >= candidates.named)
		drop_ambiguous_choice(&candidates, module, best);
	/* Close candidates that were opened for this choice and not chosen, and whose content is in memory.  Files that
	   were open before stay open: one may be the image of another build, which would be read again and again for a
	   log that names two builds in turn. */
	for (size_t i = 0; i < candidates.count; i++)
		if (candidates.list[i].opened && candidates.list[i].file != module->file &&
		    candidates.list[i].file->opened.bytes)
			rs_set_file_close(&set->files, candidates.list[i].file);
	if (module->file)
		store_choice(&candidates, module, best);
	module->known.chosen = 1;
	return 0;
}
