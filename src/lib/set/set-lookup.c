// SPDX-License-Identifier: GPL-2.0-or-later
/* set-lookup.c - the public functions that look up addresses in a set */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/error.h"
#include "lib/base/alloc.h"
#include "lib/image.h"

/* If opening or reading the file of MODULE has failed since it was chosen, copy the reason to the module's record.  If
   the file has no symbols, the choice was wrong: clear `chosen`, so that another file is chosen. */
static void copy_failure_of_file(struct rs_set_module *module)
{
	if (!module->file || module->file->why == module->known.why)
		return;
	module->known.why = module->file->why;
	module->known.error = module->file->error;
	module->known.chosen = module->file->why != ROSSYM_WHY_NO_SYMBOLS;
}

/* Choose and open the image of MODULE.  If a file turns out to have no symbols, the next best one is chosen.  LOAD: read all
   that look-ups need, and close no other image; else prepare the image for COUNT look-ups.  After rossym_set_load(), this
   does nothing.  Returns 0: then the image is open, or known.why says why not; or -1 as rs_set_choose_image(). */
static int make_image_ready(struct rossym_set *set, struct rs_set_module *module, bool load, size_t count,
			    struct rossym_error *err)
{
	struct rs_set_files *files = &set->files;
	if (set->loaded)
		return 0;
	do {
		if (!module->known.chosen && rs_set_choose_image(set, module, err) < 0)
			return -1;
		if (module->file && rs_set_file_open(files, module->file, load, err) < 0)
			return -1;
		copy_failure_of_file(module);
		if (module->known.why == ROSSYM_WHY_ANSWERED &&
		    (load ? rs_set_file_prepare(files, module->file, err)
			  : rs_set_file_announce_lookups(files, module->file, count, err)) < 0)
			return -1;
		copy_failure_of_file(module);
	} while (!module->known.chosen);
	return 0;
}

/* Returns the RVA at which the image of MODULE ends; UINT64_MAX if there is no image, or if that is not known. */
static uint64_t end_of_image(const struct rs_set_module *module)
{
	const bool known = module->known.why == ROSSYM_WHY_ANSWERED && module->file->size_of_image;
	return known ? module->file->size_of_image : UINT64_MAX;
}

/* Look up COUNT RVAS in the image of MODULE, after make_image_ready(), and store the image in *IMAGE; NULL: there is
   none.  After rossym_set_load() this must not allocate or read, because signal handlers may call it.  Returns 0; 1 if
   the image must be chosen again; or -1. */
static int look_up_in_image(struct rossym_set *set, struct rs_set_module *module, const uint64_t *rvas, size_t count,
			    unsigned flags, struct rossym_image **image, struct rossym_frame *frames,
			    struct rossym_found *found, struct rossym_error *err)
{
	struct rossym_error reason;
	*image = module->known.why == ROSSYM_WHY_ANSWERED ? module->file->opened.image : NULL;
	if (!*image || rs_set_file_look_up(module->file, rvas, count, flags, frames, found, &reason) == 0)
		return 0;
	*image = NULL;
	if (rs_set_file_handle_failure(&set->files, module->file, &reason, err) < 0)
		return -1;
	copy_failure_of_file(module);
	return !module->known.chosen;
}

/* Returns the answer for RVA in MODULE, whose image is IMAGE or NULL.  FRAME and FOUND are what was found in the image. */
static struct rossym_answer make_answer(const struct rs_set_module *module, uint64_t rva, struct rossym_image *image,
					const struct rossym_frame *frame, const struct rossym_found *found)
{
	struct rossym_answer answer = {
		.size = sizeof answer, .why = module->known.why, .module = &module->known, .rva = rva, .image = image
	};
	if (image && rva >= end_of_image(module)) {
		answer.why = ROSSYM_WHY_OUTSIDE;
	} else if (image && !rs_frame_is_known(frame)) {
		answer.why = ROSSYM_WHY_UNKNOWN;
	} else if (image) {
		answer.frame = *frame;
		answer.found = *found;
	}
	return answer;
}

/* ------------------------------------------------------------------------------------------------ addresses of a module */

enum { BATCH = 64 };

struct located {
	uint64_t rva;
	uint32_t module; /* the module's number; for an address in no module, how many modules there are */
};

/* One call of rossym_set_lookup_many() or rossym_set_lookup_rva(): its arguments and, for rossym_set_lookup_many(), the
   arrays that locate_and_sort_by_module() fills. */
struct many_lookups {
	struct rossym_set *set;
	unsigned flags;
	const uint64_t *addresses; /* NULL: RVAs are looked up */
	struct located *places;	   /* of each address, in the order of `addresses` */
	size_t *order;		   /* indexes of addresses, sorted by module */
	size_t *ends;		   /* for each module: where its part of `order` ends; while sorting, where it begins */
	void (*visit)(void *context, size_t index, const struct rossym_answer *answer);
	void *context;
};

/* ORDER has the indexes of COUNT addresses in the module RECORD, at most BATCH.  Look these up, and call m->visit() for
   each.  Returns 0; 1 if none was visited, because the image of RECORD must be chosen again; or -1. */
static int answer_batch(const struct many_lookups *m, struct rs_set_module *record, const size_t *order, size_t count,
			struct rossym_error *err)
{
	uint64_t rvas[BATCH] = { 0 };
	struct rossym_frame frames[BATCH];
	struct rossym_found found[BATCH];
	struct rossym_image *image;
	const uint64_t end = end_of_image(record);
	for (size_t i = 0; i < count; i++)
		rvas[i] = m->places[order[i]].rva < end ? m->places[order[i]].rva : UINT64_MAX;
	const int again = look_up_in_image(m->set, record, rvas, count, m->flags, &image, frames, found, err);
	for (size_t i = 0; i < count && again == 0; i++) {
		struct rossym_answer answer = make_answer(record, m->places[order[i]].rva, image, &frames[i],
							  &found[i]);
		/* If the length of the module is not known, it ends with its image, so the address is in no module;
		   locate_and_sort_by_module() could not know that before the image was chosen. */
		if (answer.why == ROSSYM_WHY_OUTSIDE && m->addresses &&
		    !rossym_set_locate(m->set, m->addresses[order[i]], &answer.module, &answer.rva))
			answer = (struct rossym_answer){ .size = sizeof answer, .why = ROSSYM_WHY_NO_BASE };
		m->visit(m->context, order[i], &answer);
	}
	return again;
}

static int answer_module_lookups(const struct many_lookups *m, struct rs_set_module *record, const size_t *order,
				 size_t count, struct rossym_error *err)
{
	if (make_image_ready(m->set, record, false, count, err) < 0)
		return -1;
	for (size_t done = 0; done < count;) {
		size_t batch = count - done < BATCH ? count - done : BATCH;
		int again = answer_batch(m, record, order + done, batch, err);
		if (again < 0 || (again && make_image_ready(m->set, record, false, count - done, err) < 0))
			return -1;
		done += again ? 0 : batch;
	}
	if (record->file && !m->set->loaded)
		rs_set_file_count_made_bytes(&m->set->files, record->file);
	return 0;
}

/* The function `visit` of many_lookups, for one address: store the answer at CONTEXT. */
static void store_answer(void *context, size_t index, const struct rossym_answer *answer)
{
	struct rossym_answer *to = context;
	(void)index;
	*to = *answer;
}

int rossym_set_lookup_rva(struct rossym_set *set, const struct rossym_module *module, uint64_t rva, unsigned flags,
			  struct rossym_answer *answer, struct rossym_error *err)
{
	struct located place = { rva, module->number };
	struct rossym_answer result = { .size = sizeof result };
	const struct many_lookups m = {
		.set = set, .flags = flags, .places = &place, .visit = store_answer, .context = &result
	};
	const size_t first = 0;
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_sized_check(answer, sizeof result, err) < 0 ||
	    answer_module_lookups(&m, set->modules[module->number], &first, 1, err) < 0)
		return -1;
	rs_sized_fill(answer, &result, sizeof result);
	return result.why == ROSSYM_WHY_ANSWERED;
}

int rossym_set_lookup(struct rossym_set *set, uint64_t address, unsigned flags, struct rossym_answer *answer,
		      struct rossym_error *err)
{
	const struct rossym_module *module;
	const struct rossym_answer none = { .why = ROSSYM_WHY_NO_BASE };
	uint64_t rva;
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_sized_check(answer, sizeof none, err) < 0)
		return -1;
	int known = rossym_set_locate(set, address, &module, &rva);
	if (known && !module->chosen) {
		/* When the image is chosen, its size may show that the module ends before ADDRESS. */
		if (make_image_ready(set, set->modules[module->number], false, 1, err) < 0)
			return -1;
		known = rossym_set_locate(set, address, &module, &rva);
	}
	if (known)
		return rossym_set_lookup_rva(set, module, rva, flags, answer, err);
	rs_sized_fill(answer, &none, sizeof none);
	return 0;
}

int rossym_set_load(struct rossym_set *set, struct rossym_error *err)
{
	/* First choose all images, because that can close images, to stay within the limits.  Then open all of them. */
	for (uint32_t i = 0; i < set->count; i++)
		if (!set->modules[i]->known.chosen && rs_set_choose_image(set, set->modules[i], err) < 0)
			return -1;
	for (uint32_t i = 0; i < set->count; i++)
		if (make_image_ready(set, set->modules[i], true, 0, err) < 0)
			return -1;
	set->loaded = true;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ many addresses */

/* A counting sort orders addresses by module.  So each image is opened once, and rossym_lookup_many() does its look-ups. */

/* Fill m->places for the COUNT addresses, and m->order, in which the addresses of one module follow one another. */
static void locate_and_sort_by_module(struct many_lookups *m, size_t count)
{
	const uint32_t modules = m->set->count;
	for (size_t i = 0; i < count; i++) {
		const struct rossym_module *module;
		struct located *place = &m->places[i];
		bool known = rossym_set_locate(m->set, m->addresses[i], &module, &place->rva);
		place->module = known ? module->number : modules;
		if (place->module < modules)
			m->ends[place->module + 1]++;
	}
	/* Now make ends[i] the index at which part i begins.  Each address that is put there moves ends[i] up by one,
	   so that in the end ends[i] is where the part ends. */
	for (uint32_t i = 1; i <= modules; i++)
		m->ends[i] += m->ends[i - 1];
	for (size_t i = 0; i < count; i++)
		m->order[m->ends[m->places[i].module]++] = i;
}

static int answer_all_modules(const struct many_lookups *m, size_t count, struct rossym_error *err)
{
	const struct rossym_answer none = { .size = sizeof none, .why = ROSSYM_WHY_NO_BASE };
	size_t begin = 0;
	for (uint32_t i = 0; i < m->set->count; begin = m->ends[i++])
		if (m->ends[i] > begin &&
		    answer_module_lookups(m, m->set->modules[i], m->order + begin, m->ends[i] - begin, err) < 0)
			return -1;
	for (; begin < count; begin++)
		m->visit(m->context, m->order[begin], &none);
	return 0;
}

int rossym_set_lookup_many(struct rossym_set *set, const uint64_t *addresses, size_t count, unsigned flags,
			   void (*visit)(void *context, size_t index, const struct rossym_answer *answer),
			   void *context, struct rossym_error *err)
{
	int status = -1;
	struct many_lookups m = {
		.set = set, .flags = flags, .addresses = addresses, .visit = visit, .context = context
	};
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0)
		return -1;
	m.places = rs_alloc(count, sizeof *m.places);
	m.order = rs_alloc(count, sizeof *m.order);
	m.ends = rs_alloc((size_t)set->count + 1, sizeof *m.ends);
	if (!m.places || !m.order || !m.ends) {
		rs_fail_memory(err);
		goto out;
	}
	locate_and_sort_by_module(&m, count);
	status = answer_all_modules(&m, count, err);
out:
	rs_free(m.places);
	rs_free(m.order);
	rs_free(m.ends);
	return status;
}
