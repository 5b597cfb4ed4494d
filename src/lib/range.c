// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * range.c - the range of addresses that have the same answer
 *
 * A stretch is a range of addresses with the same entry of the index; if sections overlap, all these addresses must
 * also lie in the same sections.  So all addresses of a stretch have the same answer.  The range of an answer is one
 * stretch, or several that follow one another.
 */
#include "config.h"
#include "lib/demand.h"

/* Returns the last address whose rank is RANK, the rank of LOW.  Most entries are a few bytes apart, so search near LOW
   first: with steps that double, then by bisection. */
static uint64_t last_address_of_rank(const struct rs_index *index, uint32_t rank, uint64_t low)
{
	uint64_t end = (uint64_t)UINT32_MAX + 1; /* no RVA from here on has RANK */
	uint32_t at;
	for (uint64_t step = 1; low + step < end; step *= 2) {
		if (rs_rank_of(&index->rank, low + step, &at) != rank)
			end = low + step;
		else
			low += step;
	}
	while (end - low > 1) {
		uint64_t middle = low + (end - low) / 2;
		if (rs_rank_of(&index->rank, middle, &at) == rank)
			low = middle;
		else
			end = middle;
	}
	return low;
}

/* Shorten RANGE so that no section begins or ends inside it; RVA stays in it. */
static void cut_at_sections(const struct rs_pe *pe, uint64_t rva, struct rossym_range *range)
{
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const uint64_t edges[] = { pe->sections[i].rva, (uint64_t)pe->sections[i].rva + pe->sections[i].size };
		for (int k = 0; k < 2; k++) {
			if (edges[k] <= rva && edges[k] > range->first)
				range->first = edges[k];
			if (edges[k] > rva && edges[k] <= range->last)
				range->last = edges[k] - 1;
		}
	}
}

struct rossym_range rs_image_stretch(const struct rossym_image *image, const struct rs_index *index, uint64_t rva)
{
	if (rva > UINT32_MAX)
		return (struct rossym_range){ (uint64_t)UINT32_MAX + 1, UINT64_MAX };
	uint32_t at = 0, rank = rs_rank_of(&index->rank, rva, &at);
	struct rossym_range range = { rank ? at : 0, last_address_of_rank(index, rank, rva) };
	if (rs_image_needs_sections(image))
		cut_at_sections(&image->core.pe, rva, &range);
	return range;
}

/* The result of a look-up: `found` is 1, or 0 if nothing is known. */
struct finding {
	int found;
	struct rossym_frame frame;
};

static struct finding find_answer(struct rossym_image *image, const struct rs_index *index, uint64_t rva,
				  unsigned flags)
{
	struct finding finding = { .frame.row_rva = 0 };
	finding.found = rs_image_answer(image, index, rva, flags, &finding.frame);
	return finding;
}

/* Whether two answers are the same: from the rows of one address, or both unknown. */
static bool is_same_answer(struct finding a, struct finding b)
{
	return a.found == b.found && a.frame.row_rva == b.frame.row_rva;
}

int rossym_lookup_range(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			struct rossym_range *ret, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_need_all(image, err) < 0)
		return -1;
	const struct rs_index *index = rs_image_index(image, err);
	if (!index)
		return -1;
	struct finding finding = find_answer(image, index, rva, flags);
	struct rossym_range range = rs_image_stretch(image, index, rva);
	while (range.first > 0 && is_same_answer(finding, find_answer(image, index, range.first - 1, flags)))
		range.first = rs_image_stretch(image, index, range.first - 1).first;
	while (range.last < UINT64_MAX && is_same_answer(finding, find_answer(image, index, range.last + 1, flags)))
		range.last = rs_image_stretch(image, index, range.last + 1).last;
	if (finding.found)
		*frame = finding.frame;
	*ret = range;
	return finding.found;
}
