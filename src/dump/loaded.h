/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loaded.h - the list of modules in the memory of a kernel: PsLoadedModuleList */
#ifndef DUMP_LOADED_H
#define DUMP_LOADED_H

#include "dump/memory.h"
#include "dump/dump-module.h"

enum { DUMP_LOADED = 8192 }; /* modules; what follows in a longer list is left out, and a problem says so */

struct dump_loaded {
	const struct dump_memory *memory;
	bool wide;
	uint64_t *entries; /* their addresses */
	uint32_t count;
};

/* Follow the list at address HEAD of MEMORY, which stays in use.  WIDE: of a 64-bit system.  A list that is damaged ends
   there, which PROBLEMS say.  False: no memory is left.  rs_dump_loaded_close() frees it in any case. */
bool rs_dump_loaded_open(struct dump_loaded *loaded, const struct dump_memory *memory, bool wide, uint64_t head,
			 struct dump_problems *problems);
void rs_dump_loaded_close(struct dump_loaded *loaded);

/* False: there is none, or it cannot be read. */
bool rs_dump_loaded_module(const struct dump_loaded *loaded, uint32_t i, struct dump_module *module);
bool rs_dump_loaded_range(const struct dump_loaded *loaded, uint32_t i, uint64_t *base, uint32_t *size);

#endif
