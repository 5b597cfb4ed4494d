/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - the memory that a dump has */
#ifndef DUMP_MEMORY_H
#define DUMP_MEMORY_H

#include "dump/input.h"

struct dump_piece {
	uint64_t address, size, offset; /* offset: in the file */
};

/* All zeros: none. */
struct dump_memory {
	const struct dump_input *input;
	struct dump_piece *pieces; /* by address, without overlap */
	size_t count;
};

/* Begin to collect at most MOST pieces of the memory in INPUT.  False: no memory is left for it.  dump_memory_close() frees
   it in any case. */
bool dump_memory_begin(struct dump_memory *memory, const struct dump_input *input, size_t most);
/* Add PIECE, but what is past the end of the file or of the address space. */
void dump_memory_add(struct dump_memory *memory, struct dump_piece piece);
/* All pieces have been added. */
void dump_memory_end(struct dump_memory *memory);
void dump_memory_close(struct dump_memory *memory);

/* Read up to SIZE bytes at the virtual ADDRESS.  Returns how many; 0: the dump has none there, and not before ADDRESS +
 *GAP either; or they cannot be read, and *GAP is 0. */
size_t dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap);

#endif
