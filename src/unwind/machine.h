/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine.h - the headers of an image in memory, for which machine its code is, and its exception directory
 *
 * The headers of an image name one machine, but a hybrid image has code for two: that of ARM64EC says x64, and most of
 * its code is for ARM64.  The load configuration of such an image refers to a list of ranges (CHPE metadata), which say
 * for which machine their code is.
 */
#ifndef UNWIND_MACHINE_H
#define UNWIND_MACHINE_H

#include "unwind/unwind.h"

/* A directory of an image, and what the headers say about the image. */
struct unwind_directory {
	uint32_t rva, size; /* 0, 0: there is no such directory */
	unsigned machine;
	bool wide;	    /* PE32+ */
	uint64_t linked_at; /* the image base in the headers */
};

/* Find directory NUMBER of the image at BASE.  Returns UNWIND_CALLER; UNWIND_MEMORY if the headers cannot be read; or
   UNWIND_DAMAGED if they are not those of an image. */
enum unwind_result rs_unwind_directory(const struct unwind_space *space, uint64_t base, unsigned number,
				       struct unwind_directory *directory);

/* Returns the machine of the code at ADDRESS; space->machine if no headers say it. */
unsigned rs_unwind_machine(const struct unwind_space *space, uint64_t address);

/* Find *RVA and *SIZE of the exception directory of the image at BASE.  Returns UNWIND_CALLER; UNWIND_DAMAGED if it is
   no PE32+ image of MACHINE, or its directory is absent or has fewer than LEAST bytes; UNWIND_MEMORY if the headers
   cannot be read. */
enum unwind_result rs_pdata_directory(const struct unwind_space *space, uint64_t base, unsigned machine, uint32_t least,
				      uint32_t *rva, uint32_t *size);

/* What follows is for x64: there, the directory is an array of entries of PDATA_ENTRY bytes (RUNTIME_FUNCTION). */
enum { PDATA_ENTRY = 12 };

/* RVAs: of the function's first byte, of the byte after its last one, and of its UNWIND_INFO. */
struct pdata_entry {
	uint32_t begin, end, info;
};

/* Find the entry of the function that contains RVA.  Returns UNWIND_CALLER; UNWIND_NOWHERE if no entry contains RVA; or
   why the directory cannot be searched, as rs_pdata_directory() does. */
enum unwind_result rs_pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct pdata_entry *entry);

/* Read the entry at the virtual ADDRESS.  False: it cannot be read. */
bool rs_pdata_read(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry);

#endif
