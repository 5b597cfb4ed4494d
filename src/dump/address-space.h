/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address-space.h - the address space that was dumped: modules, memory, and image files for memory that the dump lacks
 */
#ifndef DUMP_ADDRESS_SPACE_H
#define DUMP_ADDRESS_SPACE_H

#include "dump/images.h"

struct dump_space {
	const struct dump_contents *dump;
	struct dump_range *modules; /* base and size of each module */
	/* The addresses of `modules`, sorted, to find a module by an address.  In these pieces, `offset` is no file
	   offset: for byte RVA of module N it is N << 32 | RVA. */
	struct dump_pieces sorted;
	struct dump_images images;
	/* how often the unwinder has read memory or looked up a module; a long read counts as several */
	uint32_t reads;
};

enum { DUMP_READS = 1 << 26 }; /* the limit of `reads`: so many take some seconds, and all further reads fail */

/* Open the address space of DUMP.  IMAGES supplies the images; if it is NULL, there are none.  False: no heap memory is
   left.  rs_dump_space_close() frees SPACE in either case. */
bool rs_dump_space_open(struct dump_space *space, const struct dump_contents *dump,
			const struct dump_image_source *images);
void rs_dump_space_close(struct dump_space *space);

/* Returns the number of the module that contains ADDRESS; of several, that with the lowest base.  Returns the count of
   all modules if none contains ADDRESS. */
uint32_t rs_dump_space_find_module(const struct dump_space *space, uint64_t address);

/* Returns the functions by which the unwinder reads SPACE, which must outlive them. */
struct unwind_space rs_dump_space_for_unwinder(struct dump_space *space);

#endif
