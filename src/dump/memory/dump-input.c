// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/dump-input.h"
#include "core/bytes.h"
#include "lib/base/alloc.h"
#include "compat/bisect.h"

#include <stdlib.h>
#include <string.h>

const char rs_dump_past_end[] = "reaches past the end of the file";

bool rs_dump_read(const struct dump_input *input, uint64_t offset, void *bytes, size_t size)
{
	return rs_in_range(offset, size, input->size) && input->read(input->context, offset, bytes, size);
}

static void report_new_problem(struct dump_problems *problems, const char *what, bool in_memory, uint64_t number,
			       const char *wrong)
{
	for (uint32_t i = 0; i < problems->count && i < DUMP_KNOWN_PROBLEMS_MAX; i++)
		if (problems->known[i].number == number && strcmp(problems->known[i].what, what) == 0 &&
		    strcmp(problems->known[i].wrong, wrong) == 0)
			return;
	if (problems->count < DUMP_KNOWN_PROBLEMS_MAX)
		problems->known[problems->count] = (struct dump_problem){ what, wrong, number };
	problems->count += problems->count < UINT32_MAX;
	if (problems->say)
		problems->say(problems->context, what, in_memory, number, wrong);
}

void rs_dump_add_problem(struct dump_problems *problems, const char *what, uint64_t offset, const char *wrong)
{
	report_new_problem(problems, what, false, offset, wrong);
}

void rs_dump_add_problem_in_memory(struct dump_problems *problems, const char *what, uint64_t address,
				   const char *wrong)
{
	report_new_problem(problems, what, true, address, wrong);
}

uint32_t rs_dump_count_entries(const struct dump_input *input, struct dump_problems *problems,
			       const struct dump_list_claim *list)
{
	const uint64_t in_file = input->size > list->offset ? (input->size - list->offset) / list->size : 0;
	const struct {
		uint64_t most;
		const char *wrong;
	} limits[] = { { list->room, "says that it has more entries than it has room for" },
		       { in_file, rs_dump_past_end },
		       { list->most, "has more entries than are read" } };
	uint64_t count = list->count;
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		if (count <= limits[i].most)
			continue;
		rs_dump_add_problem(problems, list->what, list->at, limits[i].wrong);
		count = limits[i].most;
	}
	return (uint32_t)count;
}

/* ------------------------------------------------------------------------------------------------ pieces */

static int compare_pieces(const void *a, const void *b)
{
	const struct dump_piece *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Cut from each piece the bytes that pieces before it have, and remove pieces that are empty then. */
static void cut_overlaps(struct dump_pieces *all)
{
	uint64_t end = 0;
	size_t kept = 0;
	for (size_t i = 0; i < all->count; i++) {
		struct dump_piece piece = all->pieces[i];
		const uint64_t cut = piece.address < end ? end - piece.address : 0;
		if (piece.size <= cut)
			continue;
		piece.address += cut;
		piece.offset += cut;
		piece.size -= cut;
		end = piece.address + piece.size;
		all->pieces[kept++] = piece;
	}
	all->count = kept;
}

void rs_dump_pieces_add(struct dump_pieces *all, struct dump_piece piece)
{
	const uint64_t rest = all->file_size > piece.offset ? all->file_size - piece.offset : 0;
	if (piece.size > rest)
		piece.size = rest;
	if (piece.size > UINT64_MAX - piece.address)
		piece.size = UINT64_MAX - piece.address;
	if (piece.size)
		all->pieces[all->count++] = piece;
}

bool rs_dump_pieces_begin(struct dump_pieces *all, uint64_t file_size, size_t most)
{
	*all = (struct dump_pieces){ .file_size = file_size, .pieces = rs_alloc(most + 1, sizeof *all->pieces) };
	return all->pieces;
}

void rs_dump_pieces_sort_and_cut(struct dump_pieces *all)
{
	qsort(all->pieces, all->count, sizeof *all->pieces, compare_pieces);
	cut_overlaps(all);
}

void rs_dump_pieces_clear(struct dump_pieces *all)
{
	rs_free(all->pieces);
	*all = (struct dump_pieces){ .pieces = NULL };
}

uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap)
{
	size_t count; /* how many pieces begin at or below ADDRESS */
	BISECT(count, all->count, all->pieces[count].address <= address);
	const struct dump_piece *piece = count > 0 ? &all->pieces[count - 1] : NULL;
	if (!piece || address - piece->address >= piece->size) {
		*gap = count < all->count ? all->pieces[count].address - address : UINT64_MAX - address;
		return 0;
	}
	*offset = piece->offset + (address - piece->address);
	return piece->size - (address - piece->address);
}
