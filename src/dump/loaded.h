/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loaded.h - the list of modules in the memory of a kernel: PsLoadedModuleList */
#ifndef DUMP_LOADED_H
#define DUMP_LOADED_H

#include "dump/memory/memory.h"
#include "dump/dump-module.h"

enum { DUMP_LOADED = 8192 }; /* the most modules that are read; a longer list is cut, and a problem says so */

struct dump_loaded {
	const struct dump_memory *memory;
	bool wide;
	uint64_t *entries; /* virtual addresses of the list's entries */
	uint32_t count;
};

/* Follow the list whose head is at the virtual address HEAD of MEMORY, which must outlive LOADED.  WIDE: the system has
   64 bits.  A damaged list is cut where the damage is, and PROBLEMS say so.  False: no heap memory is left.
   rs_dump_loaded_close() frees LOADED in either case. */
bool rs_dump_loaded_open(struct dump_loaded *loaded, const struct dump_memory *memory, bool wide, uint64_t head,
			 struct dump_problems *problems);
void rs_dump_loaded_close(struct dump_loaded *loaded);

/* Read about module number I, as rs_dump_module(). */
bool rs_dump_loaded_read_module(const struct dump_loaded *loaded, uint32_t i, bool whole, struct dump_module *module);

#endif
