/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memory.h - reads the memory that a dump has, by virtual addresses: from a list of pieces, or through page tables
 *
 * When Windows takes a page from a process, the entry of the page is no longer valid but "in transition" until the page
 * frame gets another use.  Until then the entry still names the frame, and the page is found there.
 */
#ifndef DUMP_MEMORY_MEMORY_H
#define DUMP_MEMORY_MEMORY_H

#include "dump/memory/physical.h"

enum dump_paging_kind {
	DUMP_PAGING_X86,   /* two levels, entries of 32 bits */
	DUMP_PAGING_PAE,   /* x86: three levels */
	DUMP_PAGING_X64,   /* four levels */
	DUMP_PAGING_X64_5, /* five */
};

enum { DUMP_PAGES_KNOWN = 256 }; /* slots of a cache of translations */

struct dump_paging {
	struct dump_physical physical;
	enum dump_paging_kind kind;
	uint64_t root; /* the physical address of the first table */
	/* A cache of translations, indexed by the number of the virtual page. */
	struct {
		uint64_t page;	 /* number of the virtual page, plus 1; 0: the slot is empty */
		uint64_t offset; /* where the page is in the file; UINT64_MAX: the dump lacks the page */
	} known[DUMP_PAGES_KNOWN];
};

/* Use the page tables to which BASE, a value of CR3, points; its lower bits are flags.
   The caller fills paging->physical. */
void rs_dump_paging_begin(struct dump_paging *paging, enum dump_paging_kind kind, uint64_t base);

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
