// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/memory.h"

#include <stdlib.h>

static int by_address(const void *a, const void *b)
{
	const struct dump_piece *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Cut from each piece what those before it have, and leave out what is then empty. */
static void cut_overlaps(struct dump_memory *memory)
{
	uint64_t end = 0;
	size_t kept = 0;
	for (size_t i = 0; i < memory->count; i++) {
		struct dump_piece piece = memory->pieces[i];
		const uint64_t cut = piece.address < end ? end - piece.address : 0;
		if (piece.size <= cut)
			continue;
		piece.address += cut;
		piece.offset += cut;
		piece.size -= cut;
		end = piece.address + piece.size;
		memory->pieces[kept++] = piece;
	}
	memory->count = kept;
}

void dump_memory_add(struct dump_memory *memory, struct dump_piece piece)
{
	const uint64_t file = memory->input->size > piece.offset ? memory->input->size - piece.offset : 0;
	if (piece.size > file)
		piece.size = file;
	if (piece.size > UINT64_MAX - piece.address)
		piece.size = UINT64_MAX - piece.address;
	if (piece.size)
		memory->pieces[memory->count++] = piece;
}

bool dump_memory_begin(struct dump_memory *memory, const struct dump_input *input, size_t most)
{
	*memory = (struct dump_memory){ .input = input, .pieces = malloc((most + 1) * sizeof *memory->pieces) };
	return memory->pieces;
}

void dump_memory_end(struct dump_memory *memory)
{
	qsort(memory->pieces, memory->count, sizeof *memory->pieces, by_address);
	cut_overlaps(memory);
}

void dump_memory_close(struct dump_memory *memory)
{
	free(memory->pieces);
	*memory = (struct dump_memory){ .pieces = NULL };
}

/* How many pieces begin at or before ADDRESS. */
static size_t count_up_to(const struct dump_memory *memory, uint64_t address)
{
	size_t low = 0, high = memory->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (memory->pieces[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap)
{
	const size_t count = count_up_to(memory, address);
	const struct dump_piece *piece = count > 0 ? &memory->pieces[count - 1] : NULL;
	if (!piece || address - piece->address >= piece->size) {
		const bool more = memory->pieces && count < memory->count;
		*gap = more ? memory->pieces[count].address - address : UINT64_MAX - address;
		return 0;
	}
	const uint64_t within = address - piece->address, room = piece->size - within;
	const size_t n = room < size ? (size_t)room : size;
	*gap = 0;
	return dump_read(memory->input, piece->offset + within, bytes, n) ? n : 0;
}
