// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/targets.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "compat/bisect.h"

#include <stdlib.h>

bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, bool present)
{
	struct target *list = array_with_room(targets->list, &targets->room, targets->count, sizeof *list);
	if (!list)
		return false;
	targets->list = list;
	targets->list[targets->count++] = (struct target){ shown, rva, present };
	return true;
}

void targets_clear(struct targets *targets)
{
	free(targets->list);
	free(targets->spans);
}

/* Returns the span that contains target NUMBER: the last one that begins at or below it. */
static const struct target_span *find_span(const struct targets *targets, size_t number)
{
	size_t after;
	BISECT(after, targets->span_count, targets->spans[after].number <= number);
	return &targets->spans[after - 1];
}

struct target targets_get(const struct targets *targets, size_t number)
{
	if (!targets->spans)
		return targets->list[number];
	const struct target_span *span = find_span(targets, number);
	uint64_t rva = span->rva + (number - span->number);
	return (struct target){ targets->image_base + rva, rva, true };
}

/* Add a target by its RVA; it is printed as an address, with the image base.  Returns 0; or -1 after storing *ERR. */
static int add_rva(struct targets *targets, struct rossym_image *image, uint64_t rva, struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	return targets_add(targets, info.image_base + rva, rva, true) ? 0 : diag_fail_memory(err);
}

/* Whether the bytes of SECTION are targets: it is code or, with ROSSYM_LOOKUP_DATA, data that stays in memory. */
static bool is_target_section(const struct rossym_section *section, unsigned flags)
{
	enum { DISCARDABLE = 0x02000000 }; /* IMAGE_SCN_MEM_DISCARDABLE: .reloc, .rossym */
	return rossym_section_is_code(section) ||
	       ((flags & ROSSYM_LOOKUP_DATA) && !(section->characteristics & DISCARDABLE));
}

static int compare_rvas(const void *a, const void *b)
{
	const struct target_span *x = a, *y = b;
	return x->rva < y->rva ? -1 : x->rva > y->rva;
}

/* Sort the spans, join those that overlap or are adjacent, and number the targets. */
static void join_and_number_spans(struct targets *targets)
{
	struct target_span *spans = targets->spans;
	size_t kept = 0;
	qsort(spans, targets->span_count, sizeof *spans, compare_rvas);
	for (size_t i = 0; i < targets->span_count; i++) {
		if (kept > 0 && spans[i].rva <= spans[kept - 1].end) {
			if (spans[i].end > spans[kept - 1].end)
				spans[kept - 1].end = spans[i].end;
			continue;
		}
		spans[kept++] = spans[i];
	}
	targets->span_count = kept;
	for (size_t i = 0; i < kept; i++) {
		spans[i].number = targets->count;
		targets->count += (size_t)(spans[i].end - spans[i].rva);
	}
}

int targets_set_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	struct rossym_section section;
	int found;
	rossym_get_info(image, &info, NULL);
	targets->image_base = info.image_base;
	targets->spans = calloc((size_t)info.sections + 1, sizeof *targets->spans);
	if (!targets->spans)
		return diag_fail_memory(err);
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++) {
		uint64_t end = (uint64_t)section.rva + section.size;
		if (section.size > 0 && is_target_section(&section, flags))
			targets->spans[targets->span_count++] = (struct target_span){
				.rva = section.rva, .end = end < UINT32_MAX ? end : UINT32_MAX
			};
	}
	if (found == 0)
		join_and_number_spans(targets);
	return found;
}

/* Add the first and the last byte of the code of a row at RVA; NEXT is the RVA of the next row. */
static int add_row(struct targets *targets, struct rossym_image *image, uint64_t rva, uint64_t next, unsigned flags,
		   struct rossym_error *err)
{
	struct rossym_section section;
	int found = rossym_section_at(image, rva, &section, err);
	if (found <= 0)
		return found;
	if (!(flags & ROSSYM_LOOKUP_DATA) && !rossym_section_is_code(&section))
		return 0;
	uint64_t end = (uint64_t)section.rva + section.size;
	if (next > end)
		next = end;
	if (add_rva(targets, image, rva, err) < 0)
		return -1;
	return next - 1 > rva ? add_rva(targets, image, next - 1, err) : 0;
}

int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err)
{
	struct rossym_rows rows;
	struct rossym_row row;
	uint64_t pending = UINT64_MAX; /* RVA of the row before, which is added when the next one is known */
	int found;
	rossym_rows_begin(image, 0, &rows);
	while ((found = rossym_rows_next(&rows, &row, err)) > 0) {
		if (row.rva == pending)
			continue;
		if (pending != UINT64_MAX && add_row(targets, image, pending, row.rva, flags, err) < 0)
			return -1;
		pending = row.rva;
	}
	if (found == 0 && pending != UINT64_MAX)
		return add_row(targets, image, pending, UINT64_MAX, flags, err);
	return found;
}

int targets_add_spread(struct targets *targets, struct rossym_image *image, uint32_t count, struct rossym_error *err)
{
	struct rossym_section section;
	uint64_t total = 0;
	int found;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++)
		if (rossym_section_is_code(&section))
			total += section.size;
	if (found < 0 || total == 0)
		return found;
	if (count > total)
		count = (uint32_t)total;

	uint64_t step = total / count, rest = total % count, number = 0, before = 0;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++) {
		if (!rossym_section_is_code(&section))
			continue;
		/* Count the bytes of all code sections as if they were one after the other: target n is byte n * total
		   / count.  STEP and REST are quotient and remainder of total / count, so that no
		   product exceeds 64 bits. */
		for (; number < count; number++) {
			uint64_t at = number * step + number * rest / count;
			if (at - before >= section.size)
				break;
			if (add_rva(targets, image, section.rva + (at - before), err) < 0)
				return -1;
		}
		before += section.size;
	}
	return found;
}
