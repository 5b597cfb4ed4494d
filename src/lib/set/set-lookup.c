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

/* Choose and open the image of MODULE; if it turns out to have no symbols, the next best one.  LOAD: read all that
   look-ups need, and close no other image; else prepare the image for COUNT look-ups.  After rossym_set_load(), this
   does nothing.  Returns 0, and then the image is open, or known.why is the reason why not; or -1 as
   rs_set_choose_image() does. */
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
		    rs_set_file_prepare(files, module->file, load, count, err) < 0)
			return -1;
		copy_failure_of_file(module);
	} while (!module->known.chosen);
	return 0;
}

/* Look up COUNT RVAS in the image of MODULE, after make_image_ready().  Stores the image in *IMAGE, or NULL if there is
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

/* Returns the answer for RVA in MODULE, whose image is IMAGE or NULL.  FRAME and FOUND are what IMAGE has answered. */
static struct rossym_answer make_answer(const struct rs_set_module *module, uint64_t rva, struct rossym_image *image,
					const struct rossym_frame *frame, const struct rossym_found *found)
{
	struct rossym_answer answer = {
		.size = sizeof answer, .why = module->known.why, .module = &module->known, .rva = rva, .image = image
	};
	if (image && rva >= rs_set_get_end(module)) {
		answer.why = ROSSYM_WHY_OUTSIDE;
	} else if (image && !rs_frame_is_known(frame)) {
		answer.why = ROSSYM_WHY_UNKNOWN;
	} else if (image) {
		answer.frame = *frame;
		answer.found = *found;
	}
	return answer;
}

/* ------------------------------------------------------------------------------------------ addresses of a module */

enum { BATCH = 64 };

/* An address that is looked up.  The addresses in one module form a list. */
struct located {
	uint64_t rva;
	size_t next; /* 1 + the index of the next address in the list; 0: this is the last one */
};

struct located_list {
	size_t first; /* 1 + the index of the first address; 0: the list is empty */
	size_t count;
};

/* The arguments of the public function that looks up addresses. */
struct many_lookups {
	struct rossym_set *set;
	unsigned flags;
	const uint64_t *addresses; /* NULL: the caller gave RVAs */
	struct located *places;	   /* for each address, its RVA, in the order of `addresses` */
	void (*visit)(void *context, size_t index, const struct rossym_answer *answer);
	void *context;
};

/* Look up COUNT addresses, at most BATCH, in the module RECORD, and call m->visit() for each.  ORDER has their indexes.
   Returns 0; 1 if none was visited, because the image of RECORD must be chosen again; or -1. */
static int answer_batch(const struct many_lookups *m, struct rs_set_module *record, const size_t *order, size_t count,
			struct rossym_error *err)
{
	uint64_t rvas[BATCH] = { 0 };
	struct rossym_frame frames[BATCH];
	struct rossym_found found[BATCH];
	struct rossym_image *image;
	const uint64_t end = rs_set_get_end(record);
	for (size_t i = 0; i < count; i++)
		rvas[i] = m->places[order[i]].rva < end ? m->places[order[i]].rva : UINT64_MAX;
	const int again = look_up_in_image(m->set, record, rvas, count, m->flags, &image, frames, found, err);
	for (size_t i = 0; i < count && again == 0; i++) {
		struct rossym_answer answer = make_answer(record, m->places[order[i]].rva, image, &frames[i],
							  &found[i]);
		/* Locate the address again: a module of unknown length ends where its image ends, and the image was
		   chosen only now.  So the address may be in no module. */
		if ((!image || answer.why == ROSSYM_WHY_OUTSIDE) && m->addresses &&
		    !rossym_set_locate(m->set, m->addresses[order[i]], &answer.module, &answer.rva))
			answer = (struct rossym_answer){ .size = sizeof answer, .why = ROSSYM_WHY_NO_BASE };
		m->visit(m->context, order[i], &answer);
	}
	return again;
}

/* Look up the addresses of LIST, which are in the module RECORD, and call m->visit() for each.  Returns 0 or -1. */
static int answer_module_lookups(const struct many_lookups *m, struct rs_set_module *record, struct located_list list,
				 struct rossym_error *err)
{
	if (make_image_ready(m->set, record, false, list.count, err) < 0)
		return -1;
	while (list.count > 0) {
		size_t order[BATCH], batch = 0, next = list.first;
		for (; next && batch < BATCH; next = m->places[next - 1].next)
			order[batch++] = next - 1;
		const int again = answer_batch(m, record, order, batch, err);
		if (again < 0 || (again && make_image_ready(m->set, record, false, list.count, err) < 0))
			return -1;
		if (!again)
			list = (struct located_list){ next, list.count - batch };
	}
	if (record->file && !m->set->loaded)
		rs_set_file_count_made_bytes(&m->set->files, record->file);
	return 0;
}

/* For many_lookups.visit, if one address is looked up: store ANSWER at CONTEXT. */
static void store_answer(void *context, size_t index, const struct rossym_answer *answer)
{
	struct rossym_answer *to = context;
	(void)index;
	*to = *answer;
}

/* Look up RVA in MODULE, which is NULL if the address is in no module.  ADDRESS points to the address, or is NULL if
   only RVA is known.  Returns what rossym_set_lookup() does. */
static int look_up_one(struct rossym_set *set, const uint64_t *address, const struct rossym_module *module,
		       uint64_t rva, unsigned flags, struct rossym_answer *answer, struct rossym_error *err)
{
	struct located place = { .rva = rva };
	struct rossym_answer result = { .size = sizeof result, .why = ROSSYM_WHY_NO_BASE };
	const struct many_lookups m = { .set = set,
					.flags = flags,
					.addresses = address,
					.places = &place,
					.visit = store_answer,
					.context = &result };
	const struct located_list one = { 1, 1 };
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_sized_check(answer, sizeof result, err) < 0 ||
	    (module && answer_module_lookups(&m, set->modules[module->number], one, err) < 0))
		return -1;
	rs_sized_fill(answer, &result, sizeof result);
	return result.why == ROSSYM_WHY_ANSWERED;
}

int rossym_set_lookup_rva(struct rossym_set *set, const struct rossym_module *module, uint64_t rva, unsigned flags,
			  struct rossym_answer *answer, struct rossym_error *err)
{
	return look_up_one(set, NULL, module, rva, flags, answer, err);
}

int rossym_set_lookup(struct rossym_set *set, uint64_t address, unsigned flags, struct rossym_answer *answer,
		      struct rossym_error *err)
{
	const struct rossym_module *module = NULL;
	uint64_t rva = 0;
	rossym_set_locate(set, address, &module, &rva);
	return look_up_one(set, &address, module, rva, flags, answer, err);
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

/* Fill LISTS, which is all zeros: element N gets the list of the addresses in module N; the last element, the list of
   those in no module.  So each image is opened only once, and rossym_lookup_many() does its look-ups. */
static void locate_addresses(const struct many_lookups *m, size_t count, struct located_list *lists)
{
	for (size_t i = count; i-- > 0;) {
		const struct rossym_module *module;
		const bool known = rossym_set_locate(m->set, m->addresses[i], &module, &m->places[i].rva);
		struct located_list *list = &lists[known ? module->number : m->set->count];
		m->places[i].next = list->first;
		*list = (struct located_list){ i + 1, list->count + 1 };
	}
}

int rossym_set_lookup_many(struct rossym_set *set, const uint64_t *addresses, size_t count, unsigned flags,
			   void (*visit)(void *context, size_t index, const struct rossym_answer *answer),
			   void *context, struct rossym_error *err)
{
	struct many_lookups m = {
		.set = set, .flags = flags, .addresses = addresses, .visit = visit, .context = context
	};
	const struct rossym_answer none = { .size = sizeof none, .why = ROSSYM_WHY_NO_BASE };
	const uint32_t modules = set->count;
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0)
		return -1;
	m.places = rs_alloc(count, sizeof *m.places);
	struct located_list *lists = rs_alloc((size_t)modules + 1, sizeof *lists);
	int status = m.places && lists ? 0 : rs_fail_memory(err);
	if (status == 0)
		locate_addresses(&m, count, lists);
	for (uint32_t i = 0; i < modules && status == 0; i++)
		if (lists[i].count > 0)
			status = answer_module_lookups(&m, set->modules[i], lists[i], err);
	if (status == 0)
		for (size_t next = lists[modules].first; next; next = m.places[next - 1].next)
			visit(context, next - 1, &none);
	rs_free(m.places);
	rs_free(lists);
	return status;
}
