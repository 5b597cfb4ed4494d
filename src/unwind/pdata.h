/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pdata.h - the functions of a 64-bit image in memory: its exception directory */
#ifndef UNWIND_PDATA_H
#define UNWIND_PDATA_H

#include "unwind/unwind.h"

enum { PDATA_AMD64 = 0x8664, PDATA_ARM64 = 0xaa64 };

/* Find the exception directory of the PE32+ image at BASE, which is for MACHINE and has SIZE bytes: at least LEAST.
   UNWIND_DAMAGED: there is none; UNWIND_MEMORY: it is not known. */
enum unwind_result rs_pdata_directory(const struct unwind_space *space, uint64_t base, unsigned machine, uint32_t least,
				      uint32_t *rva, uint32_t *size);

/* What follows is of x64. */
enum { PDATA_ENTRY = 12 };

/* RVAs; end is that of the first byte behind the function. */
struct pdata_entry {
	uint32_t begin, end, info;
};

/* Find the entry that has RVA.  UNWIND_NOWHERE: the table has none; UNWIND_MEMORY: the table is not known. */
enum unwind_result rs_pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva,
				 struct pdata_entry *entry);

bool rs_pdata_read(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry);

#endif
