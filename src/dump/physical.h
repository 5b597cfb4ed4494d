/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * physical.h - the pages of physical memory that a kernel dump has
 *
 * They are in the file one after another.  Which pages these are is said by runs of pages, or by a bitmap with a bit for
 * each page of the system.  Of a bitmap nothing is kept but how many pages there are before each part of it, so a dump of
 * any size needs little memory.
 */
#ifndef DUMP_PHYSICAL_H
#define DUMP_PHYSICAL_H

#include "dump/pieces.h"

enum {
	DUMP_PHYSICAL_PAGE = 4096,
	DUMP_BITMAP_PART = 4096, /* bytes of a bitmap that are read together */
};

#define DUMP_BITMAP_BITS (UINT64_C(1) << 32) /* the most that are read: 16 TiB */

/* All zeros: none. */
struct dump_physical {
	const struct dump_input *input;
	struct dump_pieces runs;
	uint64_t next; /* of the next run: its offset */
	/* Or a bitmap: its offset, how many bits it has, and the offset of the first page. */
	uint64_t bitmap, bits, first;
	uint64_t *ranks; /* for each part of the bitmap: so many bits are set before it */
	uint64_t part;	 /* the number of the part that is in `bytes` */
	uint8_t bytes[DUMP_BITMAP_PART];
};

/* Each of the next functions returns false if no memory is left, and rs_dump_physical_close() frees it in any case. */

/* Begin to collect at most MOST runs, whose pages are in INPUT from FIRST on. */
bool rs_dump_physical_begin(struct dump_physical *physical, const struct dump_input *input, uint64_t first,
			    size_t most);
/* Add the run of COUNT pages that follows.  False: there can be no such run. */
bool rs_dump_physical_add(struct dump_physical *physical, uint64_t page, uint64_t count);
/* All runs have been added. */
void rs_dump_physical_end(struct dump_physical *physical);

/* Read the bitmap of BITS bits at offset BITMAP of INPUT, which has them.  The pages are from FIRST on.  *COUNT: so many
   there are.  The bitmap ends where it cannot be read. */
bool rs_dump_physical_map(struct dump_physical *physical, const struct dump_input *input, uint64_t bitmap,
			  uint64_t bits, uint64_t first, uint64_t *count);

void rs_dump_physical_close(struct dump_physical *physical);

/* The offset of the byte at the physical ADDRESS in the file; UINT64_MAX: it is not there. */
uint64_t rs_dump_physical_offset(struct dump_physical *physical, uint64_t address);

#endif
