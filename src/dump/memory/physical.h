/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * physical.h - which pages of physical memory a kernel dump has, and at which offsets in the file
 *
 * The pages are in the file one after another.  Runs of pages, or a bitmap with a bit for each page of the system, tell
 * which pages they are.  The bitmap stays in the file.  Memory keeps only how many bits are set before each part of the
 * bitmap, so a dump of any size needs little memory.
 */
#ifndef DUMP_MEMORY_PHYSICAL_H
#define DUMP_MEMORY_PHYSICAL_H

#include "dump/memory/dump-input.h"

enum {
	DUMP_PHYSICAL_PAGE = 4096,
	DUMP_BITMAP_PART = 4096, /* bytes of a bitmap that are read at once */
};

#define DUMP_BITMAP_BITS (UINT64_C(1) << 32) /* the most that are read: bits for 16 TiB of memory */

/* All zeros: the dump has no pages. */
struct dump_physical {
	const struct dump_input *input;
	struct dump_pieces runs;
	uint64_t next; /* offset of the first page of the run that is added next */
	/* Without runs: the bitmap's offset, how many bits it has, and the offset of the first page. */
	uint64_t bitmap, bits, first;
	uint64_t *ranks; /* for each part of the bitmap, how many bits are set before it; NULL: there are runs */
	uint64_t part;	 /* number of the part that is in "bytes"; UINT64_MAX: none is */
	uint8_t bytes[DUMP_BITMAP_PART];
};

void rs_dump_physical_clear(struct dump_physical *physical);

/* Returns the offset in the file of the byte at the physical ADDRESS; UINT64_MAX: the dump does not have it. */
uint64_t rs_dump_physical_offset(struct dump_physical *physical, uint64_t address);

enum kernel_dump_type {
	KERNEL_DUMP_FULL = 1,
	KERNEL_DUMP_SUMMARY,
	KERNEL_DUMP_HEADER,
	KERNEL_DUMP_TRIAGE,
	KERNEL_DUMP_FULL_BITMAP,
	KERNEL_DUMP_KERNEL_BITMAP,
	KERNEL_DUMP_AUTOMATIC,
	KERNEL_DUMP_KERNEL_RUNS, /* these three are written by WinDbg's .dump */
	KERNEL_DUMP_KERNEL_AND_USER_RUNS,
	KERNEL_DUMP_FULL_RUNS,
};

enum { KERNEL_DUMP_RUNS = 1 << 20 }; /* the most runs of pages that are read */

/* What the dump's header tells about its pages. */
struct kernel_pages_header {
	bool wide;	      /* of a 64-bit system */
	uint32_t type;	      /* enum kernel_dump_type */
	uint32_t end;	      /* size of the header: the offset of what follows it */
	const uint8_t *block; /* PHYSICAL_MEMORY_DESCRIPTOR in the header: KERNEL_PAGES_BLOCK bytes */
};

enum { KERNEL_PAGES_BLOCK = 700 };

/* Find the pages of INPUT.  If the dump is damaged, PHYSICAL gets only some pages or none, and PROBLEMS say why.  If
   its type is one without pages, PHYSICAL gets none.  False: no heap memory is left.  rs_dump_physical_clear() frees
   PHYSICAL in either case. */
bool rs_kernel_pages_open(struct dump_physical *physical, const struct dump_input *input,
			  struct dump_problems *problems, const struct kernel_pages_header *header);

#endif
