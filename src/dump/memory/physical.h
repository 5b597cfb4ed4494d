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

/* rs_dump_physical_begin() and rs_dump_physical_map() return false if no memory is left; rs_dump_physical_clear() frees
   what they have allocated in either case. */

/* Begin a list of at most MOST runs, whose pages are in INPUT from offset FIRST on. */
bool rs_dump_physical_begin(struct dump_physical *physical, const struct dump_input *input, uint64_t first,
			    size_t most);
/* Add a run of COUNT pages, whose first page has the number PAGE.  In the file, they follow the pages of the run that
   was added before.  False: addresses or offsets overflow. */
bool rs_dump_physical_add(struct dump_physical *physical, uint64_t page, uint64_t count);
/* Call this when all runs have been added: it sorts them. */
void rs_dump_physical_end(struct dump_physical *physical);

/* Read the bitmap of BITS bits, at most DUMP_BITMAP_BITS, which is at offset BITMAP of INPUT and within it.  The pages
   begin at offset FIRST.  *COUNT becomes how many bits are set, that is, pages in the file.  If a part cannot be read,
   the bitmap ends before it. */
bool rs_dump_physical_map(struct dump_physical *physical, const struct dump_input *input, uint64_t bitmap,
			  uint64_t bits, uint64_t first, uint64_t *count);

void rs_dump_physical_clear(struct dump_physical *physical);

/* Returns the offset in the file of the byte at the physical ADDRESS; UINT64_MAX: the dump does not have it. */
uint64_t rs_dump_physical_offset(struct dump_physical *physical, uint64_t address);

#endif
