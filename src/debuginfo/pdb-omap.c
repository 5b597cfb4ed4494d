// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pdb-omap.c - from source addresses to RVAs of the image
 *
 * Tools that move code after the link, such as those that sort a program's functions, leave the symbols as they are, and add
 * two lists to the PDB file.  "OMAP to source" tells for each address of the image where its code came from; here it is
 * turned around.
 */
#include "config.h"
#include "debuginfo/pdb-module.h"
#include "lib/alloc.h"
#include "lib/array.h"

#include <stdlib.h>

enum { OMAP_SIZE = 8 };		/* u32 RVA, u32 source address */

#define OMAP_REMOVED 0x80000000u	/* a source address of code that is new; so is 0 */

/* What a span costs of the budget.  Compilers need 8 bytes of a PDB file for each. */
enum { SPAN_COST = 64 };

static int by_begin(const void *a, const void *b)
{
	const struct pdb_moved *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
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
		if (i + 1 == count)	/* the last one holds up to the end of its section */
			next = reading_code_end(pdb->reading, to);
		if (next > to && from != 0 && from < OMAP_REMOVED && next - to < OMAP_REMOVED)
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

int pdb_keep(struct pdb_module *module)
{
	struct pdb *pdb = module->pdb;
	for (uint32_t i = 0; i < module->part_count; i++) {
		const struct span *part = &module->parts[i];
		if (part->function == 0 && part->file == 0 && part->line == 0)
			continue;
		if ((pdb->moved ? keep_moved(pdb, part) : keep_span(pdb, *part)) < 0)
			return -1;
	}
	return 0;
}

/* If the function's code was moved in pieces, the table has the piece that has its beginning. */
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
		end = (end < moved->end ? end : moved->end) - moved->begin + moved->to;
		begin = begin - moved->begin + moved->to;
		return reading_code_end(pdb->reading, begin) ? reading_function(pdb->reading, begin, end, name) : 0;
	}
	return pdb->moved || reading_code_end(pdb->reading, begin) == 0 ? 0 : reading_function(pdb->reading, begin, end, name);
}
