// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "diff/targets.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "compat/bisect.h"

#include <stdlib.h>

bool targets_add(struct targets *targets, uint64_t shown, uint64_t rva, uint64_t count)
{
	if (!ARRAY_GROW(targets->spans, targets->room, targets->span_count))
		return false;
	targets->spans[targets->span_count++] = (struct target_span){ { shown, rva }, targets->total };
	targets->total += count;
	targets->count = targets->total;
	return true;
}

void targets_clear(struct targets *targets)
{
	free(targets->spans);
}

struct target targets_get(const struct targets *targets, uint64_t number)
{
	/* Target n is address number n * total / count.  The quotient and the remainder of total / count are used,
	   because n * total could exceed 64 bits. */
	const uint64_t step = targets->total / targets->count, rest = targets->total % targets->count;
	const uint64_t at = number * step + number * rest / targets->count;
	size_t after;
	BISECT(after, targets->span_count, targets->spans[after].number <= at);
	const struct target_span *span = &targets->spans[after - 1];
	return (struct target){ span->first.shown + (at - span->number), span->first.rva + (at - span->number) };
}

/* Add COUNT addresses from RVA on, to be printed with the image base added.  Returns 0; or -1 after storing *ERR. */
static int add_rvas(struct targets *targets, struct rossym_image *image, uint64_t rva, uint64_t count,
		    struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	return targets_add(targets, info.image_base + rva, rva, count) ? 0 : diag_store_no_memory(err);
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
	const struct rossym_section *x = a, *y = b;
	return x->rva < y->rva ? -1 : x->rva > y->rva;
}

int targets_add_bytes(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err)
{
	struct rossym_info info = { .size = sizeof info };
	rossym_get_info(image, &info, NULL);
	struct rossym_section *sections = calloc((size_t)info.sections + 1, sizeof *sections);
	if (!sections)
		return diag_store_no_memory(err);
	size_t count = 0;
	int status;
	for (uint32_t i = 0; (status = rossym_get_section(image, i, &sections[count], err)) > 0; i++)
		count += is_target_section(&sections[count], flags);
	qsort(sections, count, sizeof *sections, compare_rvas);
	uint64_t begin = 0; /* all bytes below this RVA have been added */
	for (size_t i = 0; i < count && status == 0; i++) {
		uint64_t end = (uint64_t)sections[i].rva + sections[i].size;
		end = end < UINT32_MAX ? end : UINT32_MAX;
		begin = begin > sections[i].rva ? begin : sections[i].rva;
		if (begin < end) {
			status = add_rvas(targets, image, begin, end - begin, err);
			begin = end;
		}
	}
	free(sections);
	return status;
}

/* Add the first and the last byte of the row from RVA up to NEXT, the next row's RVA.  Returns 0; -1: an error. */
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
	if (add_rvas(targets, image, rva, 1, err) < 0)
		return -1;
	return next - 1 > rva ? add_rvas(targets, image, next - 1, 1, err) : 0;
}

int targets_add_rows(struct targets *targets, struct rossym_image *image, unsigned flags, struct rossym_error *err)
{
	struct rossym_rows rows;
	struct rossym_row row;
	uint64_t pending = UINT64_MAX; /* the RVA of the last row, which is added when the next RVA is known */
	int found;
	rossym_rows_begin(image, 0, &rows);
	do {
		found = rossym_rows_next(&rows, &row, err);
		uint64_t next = found > 0 ? row.rva : UINT64_MAX;
		if (next == pending)
			continue;
		if (pending != UINT64_MAX && add_row(targets, image, pending, next, flags, err) < 0)
			return -1;
		pending = next;
	} while (found > 0);
	return found;
}
