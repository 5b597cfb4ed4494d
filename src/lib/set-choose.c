// SPDX-License-Identifier: GPL-2.0-or-later
/* set-choose.c - which of the files that a module may have is its image */
#include "config.h"
#include "lib/set.h"
#include "lib/error.h"
#include "lib/sized.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CANDIDATES = 64 };		/* files of one module that are worth comparing */

struct candidate {
	struct rs_set_file *file;
	bool user;			/* of order 0 */
	bool reason;			/* tells why the module has no image, if it is of no use */
};

struct rossym_candidates {
	struct rossym_set *set;
	const struct rs_set_module *module;
	bool reason;			/* of those that are offered now */
	struct candidate list[MOST_CANDIDATES];
	size_t count;
};

static int add(struct rossym_candidates *candidates, const char *path, void *handle, bool user, struct rossym_error *err)
{
	struct rs_set_file *file = rs_set_file(&candidates->set->files, path, handle);
	if (!file)
		return rs_fail_memory(err);
	for (size_t i = 0; i < candidates->count; i++)
		if (candidates->list[i].file == file)
			return 0;
	if (candidates->count < MOST_CANDIDATES)
		candidates->list[candidates->count++] = (struct candidate){ file, user, candidates->reason };
	return 0;
}

int rossym_set_offer(struct rossym_candidates *candidates, const struct rossym_candidate *candidate,
		     struct rossym_error *err)
{
	struct rossym_candidate given;
	if (rs_sized_take(&given, sizeof given, sizeof given, candidate, err) < 0)
		return -1;
	if (!given.path && !candidates->set->files.options.open)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a candidate has no path, and nothing can open it");
	return add(candidates, given.path, given.file, given.order == 0, err);
}

/* ------------------------------------------------------------------------------------------------- enumeration */

static int ask(struct rossym_candidates *candidates, const char *name, const char *suffix, bool reason,
	       struct rossym_error *err)
{
	const struct rossym_set_options *options = &candidates->set->files.options;
	const struct rossym_module *known = &candidates->module->known;
	struct rossym_wanted wanted = { name, suffix, known->time_date_stamp, known->length };
	candidates->reason = reason;
	return options->find ? options->find(options->context, &wanted, candidates, err) : 0;
}

/* Files with another name that may be the module NAME.  Only for a debugger's name they are a REASON: a log that says hal.dll
   does not mean a halacpi.dll that has no table. */
static int ask_aliases(struct rossym_candidates *candidates, const char *name, bool reason, struct rossym_error *err)
{
	const struct rs_alias *alias;
	for (size_t at = 0; (alias = rs_alias_next(name, &at)) != NULL;)
		if (ask(candidates, alias->prefix, alias->suffix, reason, err) < 0)
			return -1;
	return 0;
}

static int find_candidates(struct rossym_candidates *candidates, struct rossym_error *err)
{
	const char *name = candidates->module->name, *extension;
	char full[RS_MODULE_NAME_MAX + 16];
	candidates->reason = true;
	if (candidates->module->path && add(candidates, candidates->module->path, NULL, true, err) < 0)
		return -1;
	if (ask(candidates, name, NULL, true, err) < 0)
		return -1;
	if (strchr(name, '.'))
		return ask_aliases(candidates, name, false, err);
	for (size_t i = 0; (extension = rs_extension(i)) != NULL; i++) {
		snprintf(full, sizeof full, "%s%s", rs_debugger_name(name), extension);
		if (ask(candidates, full, NULL, true, err) < 0 || ask_aliases(candidates, full, true, err) < 0)
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------- choice */

/* Images take whole pages, and not everyone who tells a length has rounded it. */
static bool has_length(const struct rs_set_file *file, uint64_t length)
{
	return (file->size_of_image + UINT64_C(0xfff)) / 0x1000 == length / 0x1000 + (length % 0x1000 != 0);
}

/* What speaks for a candidate, the weightiest first. */
enum { RANK_STAMP = 8, RANK_LENGTH = 4, RANK_USER = 2, RANK_TABLE = 1 };

static unsigned rank_of(const struct rs_set_module *module, const struct candidate *candidate)
{
	const struct rossym_module *known = &module->known;
	const struct rs_set_file *file = candidate->file;
	unsigned rank = RANK_TABLE;
	if (file->why != ROSSYM_WHY_ANSWERED)
		return 0;
	if (known->time_date_stamp && file->stamp == known->time_date_stamp)
		rank |= RANK_STAMP;
	if (known->length && has_length(file, known->length))
		rank |= RANK_LENGTH;
	if (candidate->user)
		rank |= RANK_USER;
	return rank;
}

/* Another candidate that is as good as the chosen one, and of another build.  NULL: there is none. */
static const struct rs_set_file *find_rival(const struct rossym_candidates *candidates, const struct rs_set_module *module,
					    unsigned best)
{
	for (size_t i = 0; i < candidates->count; i++) {
		const struct rs_set_file *file = candidates->list[i].file;
		if (rank_of(module, &candidates->list[i]) == best &&
		    (file->stamp != module->file->stamp || file->size_of_image != module->file->size_of_image))
			return file;
	}
	return NULL;
}

/* Say why there is no image: a broken file before one without a table. */
static void note_reason(struct rossym_module *known, const struct rs_set_file *file)
{
	if (known->why != ROSSYM_WHY_NO_MODULE && file->why != ROSSYM_WHY_BROKEN)
		return;
	known->why = file->why;
	known->error = file->error;
}

static void note_choice(const struct rossym_candidates *candidates, struct rs_set_module *module, unsigned best)
{
	struct rossym_module *known = &module->known;
	known->path = module->file->path;
	known->file = module->file->handle;
	known->image_stamp = module->file->stamp;
	known->other_stamp = known->time_date_stamp && module->file->stamp != known->time_date_stamp;
	const struct rs_set_file *rival = known->other_stamp || best >= RANK_STAMP ? NULL : find_rival(candidates, module, best);
	known->rival_path = rival ? rival->path : NULL;
	known->rival_file = rival ? rival->handle : NULL;
}

static void forget_choice(struct rs_set_module *module)
{
	struct rossym_module *known = &module->known;
	module->file = NULL;
	*known = (struct rossym_module){ .number = known->number, .name = known->name, .length = known->length,
					 .time_date_stamp = known->time_date_stamp, .why = ROSSYM_WHY_NO_MODULE };
}

int rs_set_choose(struct rossym_set *set, struct rs_set_module *module, struct rossym_error *err)
{
	struct rossym_candidates candidates;
	unsigned best = 0;
	candidates.set = set;
	candidates.module = module;
	candidates.count = 0;
	forget_choice(module);
	if (find_candidates(&candidates, err) < 0)
		return -1;
	for (size_t i = 0; i < candidates.count; i++) {
		struct rs_set_file *file = candidates.list[i].file;
		if (!file->known && rs_set_file_open(&set->files, file, false, err) < 0)
			return -1;
		unsigned rank = rank_of(module, &candidates.list[i]);
		if (rank > best) {
			best = rank;
			module->file = file;
			module->known.why = ROSSYM_WHY_ANSWERED;
		} else if (best == 0 && candidates.list[i].reason) {
			note_reason(&module->known, file);
		}
	}
	/* The content of the others was read for nothing. */
	for (size_t i = 0; i < candidates.count; i++)
		if (candidates.list[i].file != module->file && candidates.list[i].file->opened.bytes)
			rs_set_file_close(&set->files, candidates.list[i].file);
	if (module->file)
		note_choice(&candidates, module, best);
	module->known.chosen = 1;
	return 0;
}
