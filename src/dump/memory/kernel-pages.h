/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel-pages.h - finds out which pages of physical memory a kernel dump has, and where */
#ifndef DUMP_MEMORY_KERNEL_PAGES_H
#define DUMP_MEMORY_KERNEL_PAGES_H

#include "dump/memory/physical.h"

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
