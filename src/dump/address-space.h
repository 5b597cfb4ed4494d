/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * address-space.h - the address space that a dump is of: its modules, the memory that it has, and images for what it lacks
 */
#ifndef DUMP_ADDRESS_SPACE_H
#define DUMP_ADDRESS_SPACE_H

#include "dump/pdb-frames.h"
#include "unwind/unwind.h"

struct dump_space {
	const struct dump_contents *dump;
	struct dump_range *modules;
	struct dump_images images;
	struct dump_pdbs pdbs;
	uint32_t reads; /* by the unwinder */
};

enum { DUMP_READS = 1 << 26 }; /* the most: what takes some seconds.  Nothing more is known then */

/* False: there is no memory.  rs_dump_space_close() frees it in any case. */
bool rs_dump_space_open(struct dump_space *space, const struct dump_contents *dump,
			const struct dump_image_source *images);
void rs_dump_space_close(struct dump_space *space);

/* The number of the first module that has ADDRESS; the number of modules if none has. */
uint32_t rs_dump_space_module(const struct dump_space *space, uint64_t address);

/* What the unwinder may know; SPACE stays in use. */
struct unwind_space rs_dump_space_unwind(struct dump_space *space);

#endif
