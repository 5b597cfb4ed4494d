// SPDX-License-Identifier: GPL-2.0-or-later
/* set-lookup.c - the public functions that look up addresses in a set */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/error.h"
#include "lib/base/sized.h"

/* If opening or reading the file of MODULE has failed since it was chosen, copy the reason to the module's record.  If
   there are no symbols, the choice was wrong: clear `chosen`, so that another file is chosen. */
static void copy_failure_of_file(struct rs_set_module *module)
{
	if (!module->file || module->file->why == module->known.why)
		return;
	module->known.why = module->file->why;
	module->known.error = module->file->error;
	module->known.chosen = module->file->why != ROSSYM_WHY_NO_SYMBOLS;
}

/* Choose and open the image of MODULE.  If a file turns out to have no symbols, the next best one is chosen.  KEEP: as for
   rs_set_file_open().  Returns 0: then the image is open, or known.why says why not; or -1. */
static int open_image_of(struct rossym_set *set, struct rs_set_module *module, bool keep, struct rossym_error *err)
{
	do {
		if (!module->known.chosen && rs_set_choose(set, module, err) < 0)
			return -1;
		if (module->file && rs_set_file_open(&set->files, module->file, keep, err) < 0)
			return -1;
		copy_failure_of_file(module);
	} while (!module->known.chosen);
	return 0;
}

int rs_set_ready(struct rossym_set *set, struct rs_set_module *module, size_t count, struct rossym_error *err)
{
	if (set->loaded)
		return 0;
	do {
		if (open_image_of(set, module, false, err) < 0)
			return -1;
		if (module->known.why != ROSSYM_WHY_ANSWERED)
			return 0;
		if (rs_set_file_expect(&set->files, module->file, count, err) < 0)
			return -1;
		copy_failure_of_file(module);
	} while (!module->known.chosen);
	return 0;
}

int rs_set_failed(struct rossym_set *set, struct rs_set_module *module, const struct rossym_error *reason,
		  struct rossym_error *err)
{
	if (rs_set_file_failed(&set->files, module->file, reason, err) < 0)
		return -1;
	copy_failure_of_file(module);
	return 0;
}

/* Look up RVA in the image of MODULE, after rs_set_ready().  After rossym_set_load(), signal handlers may call this, so
   it must not allocate or read then.  Returns as rossym_set_lookup(). */
static int lookup_in_image(struct rossym_set *set, struct rs_set_module *module, uint64_t rva, unsigned flags,
			   struct rossym_answer *answer, struct rossym_error *err)
{
	struct rossym_error reason;
	struct rs_set_file *file = module->file;
	answer->why = module->known.why;
	if (answer->why != ROSSYM_WHY_ANSWERED)
		return 0;
	answer->image = file->opened.image;
	answer->why = ROSSYM_WHY_OUTSIDE;
	if (file->size_of_image && rva >= file->size_of_image)
		return 0;
	if (rs_set_file_look_up(file, &rva, 1, flags, &answer->frame, &answer->found, &reason) == 0) {
		const bool found = rs_frame_is_known(&answer->frame);
		answer->why = found ? ROSSYM_WHY_ANSWERED : ROSSYM_WHY_UNKNOWN;
		return found;
	}
	if (rs_set_failed(set, module, &reason, err) < 0)
		return -1;
	answer->image = NULL;
	answer->why = ROSSYM_WHY_BROKEN;
	return 0;
}

int rs_check_lookup_flags(unsigned flags, struct rossym_error *err)
{
	return flags & ~ROSSYM_LOOKUP_DATA ? rs_fail_flags(err, flags & ~ROSSYM_LOOKUP_DATA) : 0;
}

int rossym_set_lookup_rva(struct rossym_set *set, const struct rossym_module *module, uint64_t rva, unsigned flags,
			  struct rossym_answer *answer, struct rossym_error *err)
{
	struct rs_set_module *record = set->modules[module->number];
	struct rossym_answer result = { .module = module, .rva = rva };
	int found;
	if (rs_check_lookup_flags(flags, err) < 0 || rs_sized_check(answer, sizeof result, err) < 0)
		return -1;
	do {
		if (rs_set_ready(set, record, 1, err) < 0)
			return -1;
		found = lookup_in_image(set, record, rva, flags, &result, err);
	} while (found == 0 && !record->known.chosen);
	if (found >= 0)
		rs_sized_give(answer, &result, sizeof result);
	if (record->file && !set->loaded)
		rs_set_file_count(&set->files, record->file);
	return found;
}

int rossym_set_lookup(struct rossym_set *set, uint64_t address, unsigned flags, struct rossym_answer *answer,
		      struct rossym_error *err)
{
	const struct rossym_module *module;
	const struct rossym_answer none = { .why = ROSSYM_WHY_NO_BASE };
	uint64_t rva;
	if (rs_check_lookup_flags(flags, err) < 0 || rs_sized_check(answer, sizeof none, err) < 0)
		return -1;
	int known = rossym_set_locate(set, address, &module, &rva);
	if (known && !module->chosen) {
		/* When the image is chosen, its size may show that the module ends before ADDRESS. */
		if (rs_set_ready(set, set->modules[module->number], 1, err) < 0)
			return -1;
		known = rossym_set_locate(set, address, &module, &rva);
	}
	if (known)
		return rossym_set_lookup_rva(set, module, rva, flags, answer, err);
	rs_sized_give(answer, &none, sizeof none);
	return 0;
}

int rossym_set_load(struct rossym_set *set, struct rossym_error *err)
{
	/* First choose all images, because that can close images, to stay within the limits.  Then open all of them. */
	for (uint32_t i = 0; i < set->count; i++)
		if (!set->modules[i]->known.chosen && rs_set_choose(set, set->modules[i], err) < 0)
			return -1;
	for (uint32_t i = 0; i < set->count; i++) {
		struct rs_set_module *module = set->modules[i];
		do {
			if (open_image_of(set, module, true, err) < 0 ||
			    (module->known.why == ROSSYM_WHY_ANSWERED &&
			     rs_set_file_prepare(&set->files, module->file, err) < 0))
				return -1;
			copy_failure_of_file(module);
		} while (!module->known.chosen);
	}
	set->loaded = true;
	return 0;
}
