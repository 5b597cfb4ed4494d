// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * set-many.c - the public function that looks up many addresses in a set
 *
 * A counting sort orders addresses by module.  So each image is opened once, and
 * rossym_lookup_many() does its look-ups.
 */
#include "config.h"
#include "lib/set/set.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

enum { BATCH = 64 };

struct located {
	uint64_t rva;
	uint32_t module; /* the module's number; for an address in no module, how many modules there are */
};

/* One call of rossym_set_lookup_many(): its arguments but COUNT and ERR, and the arrays that sort_by_module() fills. */
struct many_lookups {
	struct rossym_set *set;
	unsigned flags;
	const uint64_t *addresses;
	struct located *places; /* of each address, in the order of `addresses` */
	size_t *order;		/* indexes of addresses, sorted by module */
	size_t *ends;		/* by module: where its part of `order` ends; while sorting, where it begins */
	void (*visit)(void *context, size_t index, const struct rossym_answer *answer);
	void *context;
};

/* Fill m->places for the COUNT addresses, and m->order, in which the addresses of one module follow one another. */
static void sort_by_module(struct many_lookups *m, size_t count)
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
	/* Now make ends[i] the index at which part i begins.  Each address that is placed there moves it up by one, so
	   in the end it is where the part ends. */
	for (uint32_t i = 1; i <= modules; i++)
		m->ends[i] += m->ends[i - 1];
	for (size_t i = 0; i < count; i++)
		m->order[m->ends[m->places[i].module]++] = i;
}

/* Returns the answer for ADDRESS, which is beyond the end of IMAGE.  If the length of the module is not known, it ends
   with its image, so the address is in no module; sort_by_module() could not know that before the image was chosen. */
static struct rossym_answer answer_outside(const struct many_lookups *m, uint64_t address, struct rossym_image *image)
{
	struct rossym_answer answer = { .size = sizeof answer, .why = ROSSYM_WHY_OUTSIDE, .image = image };
	if (!rossym_set_locate(m->set, address, &answer.module, &answer.rva))
		answer = (struct rossym_answer){ .size = sizeof answer, .why = ROSSYM_WHY_NO_BASE };
	return answer;
}

/* Look up COUNT addresses of RECORD, at most BATCH, whose indexes are in ORDER, and visit them.  Returns 0; 1 if none
   was visited, because the image of RECORD must be chosen again; or -1. */
static int answer_batch(const struct many_lookups *m, struct rs_set_module *record, const size_t *order, size_t count,
			struct rossym_error *err)
{
	uint64_t rvas[BATCH] = { 0 };
	struct rossym_frame frames[BATCH];
	struct rossym_found found[BATCH];
	struct rossym_error reason;
	struct rossym_image *image = record->known.why == ROSSYM_WHY_ANSWERED ? record->file->opened.image : NULL;
	uint64_t end = image && record->file->size_of_image ? record->file->size_of_image : UINT64_MAX;
	for (size_t i = 0; i < count; i++)
		rvas[i] = m->places[order[i]].rva < end ? m->places[order[i]].rva : UINT64_MAX;
	if (image && rs_set_file_look_up(record->file, rvas, count, m->flags, frames, found, &reason) < 0) {
		if (rs_set_failed(m->set, record, &reason, err) < 0)
			return -1;
		if (!record->known.chosen)
			return 1;
		image = NULL;
	}
	for (size_t i = 0; i < count; i++) {
		struct rossym_answer answer = { .size = sizeof answer,
						.why = record->known.why,
						.module = &record->known,
						.rva = m->places[order[i]].rva,
						.image = image };
		if (image && answer.rva >= end)
			answer = answer_outside(m, m->addresses[order[i]], image);
		else if (image && !rs_frame_is_known(&frames[i]))
			answer.why = ROSSYM_WHY_UNKNOWN;
		else if (image) {
			answer.frame = frames[i];
			answer.found = found[i];
		}
		m->visit(m->context, order[i], &answer);
	}
	return 0;
}

static int answer_module_lookups(const struct many_lookups *m, struct rs_set_module *record, const size_t *order,
				 size_t count, struct rossym_error *err)
{
	if (rs_set_ready(m->set, record, count, err) < 0)
		return -1;
	for (size_t done = 0; done < count;) {
		size_t batch = count - done < BATCH ? count - done : BATCH;
		int again = answer_batch(m, record, order + done, batch, err);
		if (again < 0 || (again && rs_set_ready(m->set, record, count - done, err) < 0))
			return -1;
		done += again ? 0 : batch;
	}
	if (record->file && !m->set->loaded)
		rs_set_file_count(&m->set->files, record->file);
	return 0;
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
	if (rs_check_lookup_flags(flags, err) < 0)
		return -1;
	m.places = rs_alloc(count, sizeof *m.places);
	m.order = rs_alloc(count, sizeof *m.order);
	m.ends = rs_alloc((size_t)set->count + 1, sizeof *m.ends);
	if (!m.places || !m.order || !m.ends) {
		rs_fail_memory(err);
		goto out;
	}
	sort_by_module(&m, count);
	status = answer_all_modules(&m, count, err);
out:
	rs_free(m.places);
	rs_free(m.order);
	rs_free(m.ends);
	return status;
}
