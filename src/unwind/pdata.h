/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pdata.h - the functions of an x64 image in memory: its exception directory */
#ifndef UNWIND_PDATA_H
#define UNWIND_PDATA_H

#include "unwind/unwind.h"

enum { PDATA_ENTRY = 12 };

/* RVAs; end is that of the first byte behind the function. */
struct pdata_entry {
	uint32_t begin, end, info;
};

/* Find the entry that has RVA.  UNWIND_NOWHERE: the table has none; UNWIND_MEMORY: the table is not known. */
enum unwind_result pdata_find(const struct unwind_space *space, uint64_t base, uint32_t rva, struct pdata_entry *entry);

bool pdata_read(const struct unwind_space *space, uint64_t address, struct pdata_entry *entry);

#endif
