/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - reads the headers of an image in memory and its exception directory, and finds out for which machine its
 * code is
 *
 * The headers of an image name one machine, but a hybrid image has code for two: the headers of an ARM64EC image name
 * x64, but most of its code is for ARM64.  The load configuration of a hybrid image refers to a list of ranges (CHPE
 * metadata), each with the machine of its code.
 */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include "unwind/unwind.h"

/* Returns the machine of the code at ADDRESS; space->machine if no module or no readable headers are there. */
unsigned rs_unwind_find_machine_at(const struct unwind_space *space, uint64_t address);

/* A table in memory: `count` entries of `size` bytes, ascending by key.  The key is an entry's first word & `mask`. */
struct unwind_table {
	uint64_t address;
	uint32_t count, size, mask;
};

/* Find the last entry of TABLE whose key is not above KEY, and store its address in *ENTRY.  Returns UNWIND_CALLER if
   it is found; UNWIND_NOWHERE if there is none; or UNWIND_MEMORY if the table cannot be read. */
enum unwind_result rs_unwind_search_table(const struct unwind_space *space, const struct unwind_table *table,
					  uint32_t key, uint64_t *entry);

/* Find, in the exception directory of the image at BASE, the last entry whose function begins at or below RVA; entries
   have SIZE bytes.  Returns what rs_unwind_search_table() returns; or UNWIND_DAMAGED if the image is no PE32+ image of
   MACHINE, or has no exception directory. */
enum unwind_result rs_unwind_find_pdata_entry(const struct unwind_space *space, uint64_t base, unsigned machine,
					      uint32_t size, uint32_t rva, uint64_t *entry);

#endif
