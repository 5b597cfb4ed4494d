/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memory.h - reads the memory that a dump has, by virtual addresses: from a list of pieces, or through page tables */
#ifndef DUMP_MEMORY_MEMORY_H
#define DUMP_MEMORY_MEMORY_H

#include "dump/memory/paging.h"

/* The addresses of a module. */
struct dump_range {
	uint64_t base;
	uint32_t size;
};

/* All zeros: the dump has no memory. */
struct dump_memory {
	const struct dump_input *input;
	struct dump_pieces pieces;
	struct dump_paging *paging; /* NULL: "pieces" has the memory */
};

void rs_dump_memory_clear(struct dump_memory *memory);

/* Read up to SIZE bytes at the virtual ADDRESS, and return how many were read.  Returns 0 if the dump lacks the memory
   at ADDRESS; *GAP becomes how many bytes it lacks there.  If the file cannot be read, both are 0. */
size_t rs_dump_memory_read(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size, uint64_t *gap);

/* Read SIZE bytes at the virtual ADDRESS.  False: some of them cannot be read. */
bool rs_dump_memory_read_all(const struct dump_memory *memory, uint64_t address, void *bytes, size_t size);

/* Read SIZE bytes at RVA of the IMAGE in MEMORY.  False: some of them are not in IMAGE, or cannot be read. */
bool rs_image_read(const struct dump_memory *memory, const struct dump_range *image, uint64_t rva, void *bytes,
		   size_t size);

#endif
