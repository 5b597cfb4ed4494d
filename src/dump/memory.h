/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - the memory that a dump has, by virtual addresses: pieces that it lists, or what page tables lead to */
#ifndef DUMP_MEMORY_H
#define DUMP_MEMORY_H

#include "dump/paging.h"

/* Where a module is. */
struct dump_range {
	uint64_t base;
	uint32_t size;
};

/* All zeros: none. */
struct dump_memory {
	const struct dump_input *input;
	struct dump_pieces pieces;
	struct dump_paging *paging; /* NULL: pieces */
};

void rs_dump_memory_close(struct dump_memory *memory);

/* Read up to SIZE bytes at the virtual ADDRESS.  Returns how many; 0: the dump has none there, and not before ADDRESS +
 *GAP either; or they cannot be read, and *GAP is 0. */
size_t rs_dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap);

/* Read all SIZE bytes at ADDRESS.  False: the dump does not have all of them. */
bool rs_dump_memory_read_all(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size);

/* Read SIZE bytes at RVA of the IMAGE in MEMORY.  False: it does not have them. */
bool rs_image_read(const struct dump_memory *memory, const struct dump_range *image, uint64_t rva, void *bytes,
		   size_t size);

#endif
