// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * labels.c - labels from a symbol table; those that are wanted get names
 *
 * A reader of symbols calls rs_labels_add() for each symbol that names code, then rs_labels_name_wanted() once, which sorts
 * the labels and names those that are wanted: making all names would take long.
 */
#include "config.h"
#include "debuginfo/symbols/symbol-steps.h"
#include "lib/base/array.h"

#include <stdlib.h>

/* The rank of a label is LAST_RANK minus the index of its symbol, so that of several labels at one address, that of the
   last symbol comes first.  A label without a symbol has a higher rank.  Until labels get their names, "name" is
   NAMED_LATER, or 0 if there is no symbol. */
enum { NAMED_LATER = 1 };
#define LAST_RANK (UINT32_MAX - 1)

int rs_labels_add(struct reading *reading, uint32_t rva, uint32_t index, bool function)
{
	return rs_reading_add_label(
		reading,
		&(struct label){ .rva = rva, .rank = LAST_RANK - index, .name = NAMED_LATER, .function = function });
}

/* For qsort(): by address; at one address, functions first; then by rank.  Functions are first because GNU ld defines
   symbols that name no function, such as ___tls_start__, where the code of an image without a C runtime begins. */
static int labels_by_rva(const void *a, const void *b)
{
	const struct label *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->function != y->function)
		return x->function ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Sort the labels, and keep the first one of each address.  Set its "object" if any label at that
   address has it set. */
static void sort_labels(struct reading *reading)
{
	struct label *labels = reading->labels;
	uint32_t kept = 1;
	if (reading->label_count == 0)
		return;
	qsort(labels, reading->label_count, sizeof *labels, labels_by_rva);
	for (uint32_t i = 1; i < reading->label_count; i++) {
		if (labels[i].rva != labels[kept - 1].rva)
			labels[kept++] = labels[i];
		else
			labels[kept - 1].object |= labels[i].object;
	}
	reading->label_count = kept;
}

/* Store the string number of LABEL's name in *RET; *RET is unchanged if LABEL has no symbol, or the symbol no name. */
static int make_label_name(struct reading *reading, const struct label *label, labels_name_of *name_of,
			   const void *context, enum rs_reading_name kind, uint32_t *ret)
{
	size_t length;
	const char *name = label->rank > LAST_RANK ? NULL : name_of(context, LAST_RANK - label->rank, &length);
	return name ? rs_reading_name(reading, name, length, kind, ret) : 0;
}

bool rs_labels_are_cached(const struct reading *reading)
{
	const struct debuginfo_keep *keep = reading->options->keep;
	return keep && keep->labels && reading->options->wanted;
}

/* Sort the labels, and move them to the cache if there is one and it has no labels yet. */
static void sort_and_cache_labels(struct reading *reading)
{
	struct debuginfo_keep *keep = reading->options->keep;
	sort_labels(reading);
	if (!keep || keep->labels || !reading->options->wanted)
		return;
	keep->labels = reading->labels;
	keep->label_count = reading->label_count;
	reading->labels = NULL;
	reading->label_count = reading->label_room = 0;
}

/* Copy the cached labels that can name the code of WANTED: the last named label below WANTED, all labels from there up
   to the end of WANTED, and one more, where the code of the last one ends.  Labels before index NEXT were copied
   before.  Returns the index after the last copied label, which is NEXT for the next call; UINT32_MAX
   after storing an error. */
static uint32_t copy_wanted_labels(struct reading *reading, uint32_t next, const struct extent *wanted)
{
	const struct debuginfo_keep *keep = reading->options->keep;
	const struct label *labels = keep->labels;
	uint32_t i = rs_array_first(labels, keep->label_count, sizeof *labels, offsetof(struct label, rva),
				    wanted->begin);
	while (i > next && !labels[i - 1].name)
		i--;
	i = i > next ? i - 1 : next;
	for (bool inside = true; i < keep->label_count && inside; i++) {
		inside = labels[i].rva < wanted->end;
		if (rs_reading_add_label(reading, &labels[i]) < 0)
			return UINT32_MAX;
	}
	return i;
}

/* Find the wanted code by all cached labels, then copy to READING the labels that can name this code. */
static int use_cached_labels(struct reading *reading)
{
	const struct debuginfo_keep *keep = reading->options->keep;
	reading->labels = keep->labels;
	reading->label_count = keep->label_count;
	const int ret = rs_reading_find_wanted(reading);
	reading->labels = NULL;
	reading->label_count = reading->label_room = 0;
	for (uint32_t i = 0, next = 0; ret == 0 && i < reading->wanted_count; i++)
		if ((next = copy_wanted_labels(reading, next, &reading->wanted[i])) == UINT32_MAX)
			return -1;
	return ret;
}

int rs_labels_name_wanted(struct reading *reading, labels_name_of *name_of, const void *context,
			  enum rs_reading_name kind)
{
	uint32_t until = UINT32_MAX;
	if (!rs_labels_are_cached(reading))
		sort_and_cache_labels(reading);
	if ((rs_labels_are_cached(reading) ? use_cached_labels(reading) : rs_reading_find_wanted(reading)) < 0)
		return -1;
	/* Go from the last label to the first, because a label can name code up to the next label with a name
	   (add_labelled_parts() of merge.c). */
	for (uint32_t i = reading->label_count; i-- > 0;) {
		struct label *label = &reading->labels[i];
		if (!label->name)
			continue;
		bool wanted = rs_reading_is_wanted(reading, label->rva, until);
		until = label->rva;
		label->name = 0;
		if (wanted && make_label_name(reading, label, name_of, context, kind, &label->name) < 0)
			return -1;
	}
	for (uint32_t i = 0; i < reading->label_count; i++)
		reading->labels[i].named = reading->labels[i].name ? i + 1 : i ? reading->labels[i - 1].named : 0;
	return 0;
}

int rs_labels_name_at(struct reading *reading, uint32_t rva, labels_name_of *name_of, const void *context,
		      enum rs_reading_name kind, uint32_t *ret)
{
	uint32_t count;
	const struct label *labels = rs_reading_all_labels(reading, &count);
	const uint32_t i = rs_array_first(labels, count, sizeof *labels, offsetof(struct label, rva), rva);
	return i < count && labels[i].rva == rva ? make_label_name(reading, &labels[i], name_of, context, kind, ret)
						 : 0;
}
