// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * omap.c - turns source addresses (RVAs before a tool moved the code) into RVAs of the image
 *
 * Tools that move code after the link, for instance to sort functions by use, do not change the symbols, but add two
 * lists to the PDB file.  One of them, "OMAP to source", has the source address of the code at each RVA of the image.
 * This file inverts that list, and finds the RVAs of a source address.
 *
 * Such tools move code in pieces, and insert bytes between them, which have no source address.  Bytes between two
 * pieces of one function belong to that function; bytes between two pieces of one line, to that line.  Other inserted
 * bytes, such as padding between functions, belong to no function.
 */
#include "config.h"
#include "debuginfo/pdb/pdb-module.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"

enum { OMAP_SIZE = 8 }; /* u32 RVA, u32 source address */

#define OMAP_INSERTED 0x80000000u /* flag in a source address: the bytes were inserted; address 0 means that, too */

/* What a span takes from the budget.  Sound files have at least 8 bytes for a span, which add 256 to the budget. */
enum { SPAN_COST = 64 };

int rs_pdb_read_omap(struct pdb *pdb, uint32_t number)
{
	struct msf_stream omap;
	const int ret = rs_pdb_copy_stream(pdb, number, &omap);
	const uint32_t count = omap.size / OMAP_SIZE;
	uint32_t kept = 0;
	pdb->moved = ret == 0 ? rs_alloc(count, sizeof *pdb->moved) : NULL;
	for (uint32_t i = 0; pdb->moved && i < count; i++) {
		const uint8_t *entry = omap.bytes + (size_t)i * OMAP_SIZE;
		uint32_t to = rs_le32(entry), from = rs_le32(entry + 4);
		uint32_t next = i + 1 < count ? rs_le32(entry + OMAP_SIZE) : to;
		if (i + 1 == count) /* the last entry is for the code up to the end of its section */
			next = rs_reading_find_code_end(pdb->reading, to);
		if (next <= to || from == 0 || from >= OMAP_INSERTED || next - to >= OMAP_INSERTED)
			continue;
		struct pdb_moved *last = kept > 0 ? &pdb->moved[kept - 1] : NULL;
		const uint32_t end = last ? last->to + (last->end - last->begin) : 0;
		if (last && to >= end) { /* else the list is not sorted */
			last->inserted = to - end;
			last->after = from;
		}
		pdb->moved[kept++] = (struct pdb_moved){ .begin = from, .end = from + (next - to), .to = to };
	}
	rs_sort(pdb->moved, kept, sizeof *pdb->moved, rs_compare_two_numbers);
	for (uint32_t i = 0, reach = 0; i < kept; i++) {
		reach = pdb->moved[i].end > reach ? pdb->moved[i].end : reach;
		pdb->moved[i].reach = reach;
	}
	pdb->moved_count = kept;
	rs_msf_stream_free(&omap);
	return pdb->moved ? 0 : rs_fail_memory(pdb->reading->err);
}

/* Add the span PART, which has RVAs of the image, cut at the end of its section. */
static int add_moved_span(struct pdb *pdb, struct span part)
{
	uint32_t limit = rs_reading_find_code_end(pdb->reading, part.begin);
	if (limit == 0) {
		pdb->reading->di->counts.outside++;
		return 0;
	}
	if (part.end > limit)
		part.end = limit;
	return rs_pdb_spend_work(pdb, SPAN_COST) ? rs_reading_add_span(pdb->reading, &part) : 0;
}

/* Returns the index of the first item of pdb->moved whose source address BEGIN is at or after END.  All items that
   overlap a range up to END are before it. */
static uint32_t moved_index_from(const struct pdb *pdb, uint32_t end)
{
	return rs_array_first(pdb->moved, pdb->moved_count, sizeof *pdb->moved, offsetof(struct pdb_moved, begin), end);
}

/* Add a span for each piece of PART, with the RVAs to which it was moved.  Returns 0, even if the budget is spent; or
   -1 after storing an error. */
static int add_moved_pieces(struct pdb *pdb, const struct span *part)
{
	for (uint32_t i = moved_index_from(pdb, part->end); i-- > 0 && pdb->moved[i].reach > part->begin;) {
		const struct pdb_moved *moved = &pdb->moved[i];
		struct span piece = *part;
		if (!rs_pdb_spend_work(pdb, 1))
			return 0;
		if (moved->end <= part->begin)
			continue;
		piece.begin = (part->begin > moved->begin ? part->begin : moved->begin) - moved->begin + moved->to;
		piece.end = (part->end < moved->end ? part->end : moved->end) - moved->begin + moved->to;
		if (add_moved_span(pdb, piece) < 0)
			return -1;
	}
	return 0;
}

/* Returns the part of MODULE that contains the source ADDRESS; NULL if none does. */
static const struct span *find_part_at(const struct pdb_module *module, uint32_t address)
{
	uint32_t i = rs_array_first(module->parts, module->part_count, sizeof *module->parts,
				    offsetof(struct span, end), (uint64_t)address + 1);
	return i < module->part_count && module->parts[i].begin <= address ? &module->parts[i] : NULL;
}

/* Add a span for the bytes that were inserted after MOVED, if the code before and the code after them are in parts of
   the module.  If both are in one part, the span has the function, file and line of that part.  If they are in two
   parts, it has no file and line; its function is FUNCTION or, if that is 0, the function of both parts.  If their
   functions differ then, adds no span.  Returns 0; or -1 after storing an error. */
static int add_inserted_span(struct pdb_module *module, const struct pdb_moved *moved, uint32_t function)
{
	const struct span *before = find_part_at(module, moved->end - 1), *after = find_part_at(module, moved->after);
	if (!before || !after)
		return 0;
	struct span inserted = *before;
	if (before != after) {
		if (function == 0 && before->function != after->function)
			return 0;
		inserted.file = inserted.line = 0;
		inserted.outer = 0;
		if (function)
			inserted.function = function;
		else
			inserted.order = SPAN_PUBLICS;
	}
	inserted.begin = moved->to + (moved->end - moved->begin);
	inserted.end = inserted.begin + moved->inserted;
	return inserted.function || inserted.file ? add_moved_span(module->pdb, inserted) : 0;
}

/* Add spans for all bytes that were inserted between and in the module's parts.  FUNCTION is the procedure, or 0. */
static int add_inserted_spans(struct pdb_module *module, uint32_t function)
{
	struct pdb *pdb = module->pdb;
	uint32_t begin = module->part_count ? module->parts[0].begin : UINT32_MAX;
	uint32_t end = module->part_count ? module->parts[module->part_count - 1].end : 0;
	for (uint32_t i = moved_index_from(pdb, end); i-- > 0 && pdb->moved[i].reach > begin;) {
		if (!rs_pdb_spend_work(pdb, 1))
			return 0;
		if (pdb->moved[i].inserted > 0 && add_inserted_span(module, &pdb->moved[i], function) < 0)
			return -1;
	}
	return 0;
}

int rs_pdb_add_spans(struct pdb_module *module, uint32_t function)
{
	struct pdb *pdb = module->pdb;
	for (uint32_t i = 0; i < module->part_count; i++) {
		const struct span *part = &module->parts[i];
		if (part->function == 0 && part->file == 0 && part->line == 0)
			continue;
		if ((pdb->moved ? add_moved_pieces(pdb, part) : add_moved_span(pdb, *part)) < 0)
			return -1;
	}
	return pdb->moved ? add_inserted_spans(module, function) : 0;
}

/* Returns the piece of code that follows MOVED in the image, after any inserted bytes; NULL if none does. */
static const struct pdb_moved *find_next_moved(struct pdb *pdb, const struct pdb_moved *moved)
{
	uint32_t to = moved->to + (moved->end - moved->begin) + moved->inserted,
		 i = moved_index_from(pdb, moved->after);
	for (; i < pdb->moved_count && pdb->moved[i].begin == moved->after && rs_pdb_spend_work(pdb, 1); i++)
		if (pdb->moved[i].to == to)
			return &pdb->moved[i];
	return NULL;
}

/* Returns the RVA at which a function ends.  Its code has the source addresses from BEGIN up to END, and begins in the
   piece MOVED.  Only pieces that follow each other in the image count. */
static uint32_t find_function_end(struct pdb *pdb, const struct pdb_moved *moved, uint32_t begin, uint32_t end)
{
	while (moved->end <= end && moved->after >= begin && moved->after < end) {
		const struct pdb_moved *next = find_next_moved(pdb, moved);
		if (!next)
			break;
		moved = next;
	}
	return (end < moved->end ? end : moved->end) - moved->begin + moved->to;
}

/* If the function's code was moved in several pieces, adds only the piece with its beginning, and the pieces that
   follow that one in the image. */
int rs_pdb_add_function(struct pdb *pdb, uint32_t begin, uint32_t end, uint32_t name)
{
	const struct pdb_moved *moved = NULL;
	if (name == 0)
		return 0;
	for (uint32_t i = moved_index_from(pdb, begin + 1); !moved && i-- > 0 && pdb->moved[i].reach > begin;) {
		if (!rs_pdb_spend_work(pdb, 1))
			return 0;
		if (pdb->moved[i].end > begin)
			moved = &pdb->moved[i];
	}
	if (moved) {
		end = find_function_end(pdb, moved, begin, end);
		begin = begin - moved->begin + moved->to;
	}
	if ((pdb->moved && !moved) || rs_reading_find_code_end(pdb->reading, begin) == 0)
		return 0;
	return rs_reading_add_function(pdb->reading, begin, end, name);
}
