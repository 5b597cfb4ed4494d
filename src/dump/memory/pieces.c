// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory/pieces.h"
#include "lib/base/alloc.h"

#include <stdlib.h>

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

void rs_dump_pieces_end(struct dump_pieces *all)
{
	qsort(all->pieces, all->count, sizeof *all->pieces, compare_pieces);
	cut_overlaps(all);
}

void rs_dump_pieces_clear(struct dump_pieces *all)
{
	rs_free(all->pieces);
	*all = (struct dump_pieces){ .pieces = NULL };
}

/* Returns how many pieces begin at or below ADDRESS. */
static size_t count_pieces_up_to(const struct dump_pieces *all, uint64_t address)
{
	size_t low = 0, high = all->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (all->pieces[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t rs_dump_pieces_find(const struct dump_pieces *all, uint64_t address, uint64_t *offset, uint64_t *gap)
{
	const size_t count = count_pieces_up_to(all, address);
	const struct dump_piece *piece = count > 0 ? &all->pieces[count - 1] : NULL;
	if (!piece || address - piece->address >= piece->size) {
		*gap = count < all->count ? all->pieces[count].address - address : UINT64_MAX - address;
		return 0;
	}
	*offset = piece->offset + (address - piece->address);
	return piece->size - (address - piece->address);
}
