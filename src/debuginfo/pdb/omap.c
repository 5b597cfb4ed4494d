// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * omap.c - from source addresses to RVAs of the image
 *
 * Tools that move code after the link, such as those that sort a program's functions, leave the symbols as they are,
 * and add two lists to the PDB file.  "OMAP to source" tells for each address of the image where its code came from;
 * here it is turned around.
 *
 * Such tools also insert bytes that came from nowhere.  Between two pieces of one function, inserted bytes are the
 * function's; between two pieces of one line, they are the line's.  Others, such as padding between functions, belong
 * to nobody.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"

#include <stdlib.h>

enum { OMAP_SIZE = 8 }; /* u32 RVA, u32 source address */

#define OMAP_REMOVED 0x80000000u /* a source address of code that is new; so is 0 */

/* What a span costs of the budget.  Compilers need 8 bytes of a PDB file for each. */
enum { SPAN_COST = 64 };

static int by_begin(const void *a, const void *b)
{
	const struct pdb_moved *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* After MOVED, the next code in the image that came from somewhere is at RVA TO, and came from source address FROM. */
static void follow(struct pdb_moved *moved, uint32_t to, uint32_t from)
{
	uint32_t end = moved->to + (moved->end - moved->begin);
	if (to < end) /* the list is not sorted */
		return;
	moved->inserted = to - end;
	moved->after = from;
}

int pdb_read_omap(struct pdb *pdb, uint32_t number)
{
	struct msf_stream omap;
	int ret = -1;
	if (pdb_stream(pdb, number, &omap) < 0)
		goto out;
	uint32_t count = omap.size / OMAP_SIZE, kept = 0;
	pdb->moved = rs_alloc(count, sizeof *pdb->moved);
	if (!pdb->moved) {
		reading_memory(pdb->reading);
		goto out;
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry = omap.bytes + (size_t)i * OMAP_SIZE;
		uint32_t to = rs_le32(entry), from = rs_le32(entry + 4);
		uint32_t next = i + 1 < count ? rs_le32(entry + OMAP_SIZE) : to;
		if (i + 1 == count) /* the last one holds up to the end of its section */
			next = reading_code_end(pdb->reading, to);
		if (next <= to || from == 0 || from >= OMAP_REMOVED || next - to >= OMAP_REMOVED)
			continue;
		if (kept > 0)
			follow(&pdb->moved[kept - 1], to, from);
		pdb->moved[kept++] = (struct pdb_moved){ .begin = from, .end = from + (next - to), .to = to };
	}
	if (kept)
		qsort(pdb->moved, kept, sizeof *pdb->moved, by_begin);
	for (uint32_t i = 0, reach = 0; i < kept; i++) {
		reach = pdb->moved[i].end > reach ? pdb->moved[i].end : reach;
		pdb->moved[i].reach = reach;
	}
	pdb->moved_count = kept;
	ret = 0;
out:
	msf_release(&omap);
	return ret;
}

/* Keep the span PART, which has RVAs of the image now. */
static int keep_span(struct pdb *pdb, struct span part)
{
	uint32_t limit = reading_code_end(pdb->reading, part.begin);
	if (limit == 0) {
		pdb->reading->di->counts.outside++;
		return 0;
	}
	if (part.end > limit)
		part.end = limit;
	return pdb_spend(pdb, SPAN_COST) ? reading_span(pdb->reading, &part) : 0;
}

/* The number of the first item of pdb->moved that begins at or after END; all that overlap a range that ends there are
   before it. */
static uint32_t moved_before(const struct pdb *pdb, uint32_t end)
{
	return rs_array_first(pdb->moved, pdb->moved_count, sizeof *pdb->moved, offsetof(struct pdb_moved, begin), end);
}

static int keep_moved(struct pdb *pdb, const struct span *part)
{
	for (uint32_t i = moved_before(pdb, part->end); i-- > 0 && pdb->moved[i].reach > part->begin;) {
		const struct pdb_moved *moved = &pdb->moved[i];
		struct span own = *part;
		if (!pdb_spend(pdb, 1))
			return 0;
		if (moved->end <= part->begin)
			continue;
		own.begin = (part->begin > moved->begin ? part->begin : moved->begin) - moved->begin + moved->to;
		own.end = (part->end < moved->end ? part->end : moved->end) - moved->begin + moved->to;
		if (keep_span(pdb, own) < 0)
			return -1;
	}
	return 0;
}

/* The part that has the source ADDRESS; NULL if none has. */
static const struct span *part_at(const struct pdb_module *module, uint32_t address)
{
	uint32_t i = rs_array_first(module->parts, module->part_count, sizeof *module->parts,
				    offsetof(struct span, end), (uint64_t)address + 1);
	return i < module->part_count && module->parts[i].begin <= address ? &module->parts[i] : NULL;
}

/* Keep the bytes that were inserted after MOVED, if the code before and after them is of one function of the
   module's parts. */
static int keep_inserted(struct pdb_module *module, const struct pdb_moved *moved, uint32_t function)
{
	const struct span *before = part_at(module, moved->end - 1), *after = part_at(module, moved->after);
	if (!before || !after)
		return 0;
	struct span own = *before;
	if (before != after) {
		if (function == 0 && before->function != after->function)
			return 0;
		own.file = own.line = 0;
		own.outer = 0;
		if (function)
			own.function = function;
		else
			own.order = SPAN_PUBLICS;
	}
	own.begin = moved->to + (moved->end - moved->begin);
	own.end = own.begin + moved->inserted;
	return own.function || own.file ? keep_span(module->pdb, own) : 0;
}

static int keep_all_inserted(struct pdb_module *module, uint32_t function)
{
	struct pdb *pdb = module->pdb;
	uint32_t begin = module->part_count ? module->parts[0].begin : UINT32_MAX;
	uint32_t end = module->part_count ? module->parts[module->part_count - 1].end : 0;
	for (uint32_t i = moved_before(pdb, end); i-- > 0 && pdb->moved[i].reach > begin;) {
		if (!pdb_spend(pdb, 1))
			return 0;
		if (pdb->moved[i].inserted > 0 && keep_inserted(module, &pdb->moved[i], function) < 0)
			return -1;
	}
	return 0;
}

int pdb_keep(struct pdb_module *module, uint32_t function)
{
	struct pdb *pdb = module->pdb;
	for (uint32_t i = 0; i < module->part_count; i++) {
		const struct span *part = &module->parts[i];
		if (part->function == 0 && part->file == 0 && part->line == 0)
			continue;
		if ((pdb->moved ? keep_moved(pdb, part) : keep_span(pdb, *part)) < 0)
			return -1;
	}
	return pdb->moved ? keep_all_inserted(module, function) : 0;
}

/* The piece that follows MOVED in the image; NULL if there is none. */
static const struct pdb_moved *next_moved(struct pdb *pdb, const struct pdb_moved *moved)
{
	uint32_t to = moved->to + (moved->end - moved->begin) + moved->inserted, i = moved_before(pdb, moved->after);
	for (; i < pdb->moved_count && pdb->moved[i].begin == moved->after && pdb_spend(pdb, 1); i++)
		if (pdb->moved[i].to == to)
			return &pdb->moved[i];
	return NULL;
}

/* The RVA at which the code of the function from source address BEGIN up to END, which begins in MOVED, ends: the
   pieces of it that follow each other in the image. */
static uint32_t function_end(struct pdb *pdb, const struct pdb_moved *moved, uint32_t begin, uint32_t end)
{
	while (moved->end <= end && moved->after >= begin && moved->after < end) {
		const struct pdb_moved *next = next_moved(pdb, moved);
		if (!next)
			break;
		moved = next;
	}
	return (end < moved->end ? end : moved->end) - moved->begin + moved->to;
}

/* If the function's code was moved in pieces, the table has those from the one that has its beginning. */
int pdb_keep_function(struct pdb *pdb, uint32_t begin, uint32_t end, uint32_t name)
{
	if (name == 0)
		return 0;
	for (uint32_t i = pdb->moved ? moved_before(pdb, begin + 1) : 0; i-- > 0 && pdb->moved[i].reach > begin;) {
		const struct pdb_moved *moved = &pdb->moved[i];
		if (!pdb_spend(pdb, 1))
			return 0;
		if (moved->end <= begin)
			continue;
		end = function_end(pdb, moved, begin, end);
		begin = begin - moved->begin + moved->to;
		return reading_code_end(pdb->reading, begin) ? reading_function(pdb->reading, begin, end, name) : 0;
	}
	return pdb->moved || reading_code_end(pdb->reading, begin) == 0
		       ? 0
		       : reading_function(pdb->reading, begin, end, name);
}
