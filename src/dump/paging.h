/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * paging.h - from virtual addresses to physical ones, as the processor's page tables have it
 *
 * A page that the system has taken from its process, but not given to another one ("transition"), is still in the page frame that the
 * entry names.
 */
#ifndef DUMP_PAGING_H
#define DUMP_PAGING_H

#include "dump/physical.h"

enum dump_paging_kind {
	DUMP_PAGING_X86,   /* two levels, entries of 32 bits */
	DUMP_PAGING_PAE,   /* x86: three levels */
	DUMP_PAGING_X64,   /* four levels */
	DUMP_PAGING_X64_5, /* five */
};

enum { DUMP_PAGES_KNOWN = 256 };

struct dump_paging {
	struct dump_physical physical;
	enum dump_paging_kind kind;
	uint64_t root; /* the physical address of the first table */
	/* Pages that were looked for: the virtual address, and the offset in the file. */
	struct {
		uint64_t page, offset; /* page: that of the address + 1; 0: none is known */
	} known[DUMP_PAGES_KNOWN];
};

/* Take the tables at the physical address BASE, in which lower bits can be set.  `physical` is filled by the caller. */
void rs_dump_paging_begin(struct dump_paging *paging, enum dump_paging_kind kind, uint64_t base);

/* The offset in the file of the byte at the virtual ADDRESS; UINT64_MAX: the dump does not have it. */
uint64_t rs_dump_paging_find(struct dump_paging *paging, uint64_t address);

#endif
