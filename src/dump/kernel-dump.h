/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel-dump.h - reads a kernel memory dump: bugcheck, exception, modules, memory
 *
 * Such a dump begins with a header of 4096 ("PAGEDUMP", 32 bits) or 8192 bytes ("PAGEDU64", 64 bits).  In a triage
 * dump, which Windows calls small memory dump, lists of drivers and memory follow.  A header dump is the
 * header alone.  In all other types, pages of physical memory follow (memory.h).  The modules and everything else are
 * in these pages.
 */
#ifndef DUMP_KERNEL_DUMP_H
#define DUMP_KERNEL_DUMP_H

#include "dump/dump-module.h"

enum { DUMP_LOADED = 8192 }; /* the most modules that are read; a longer list is cut, and a problem is reported */

enum { KERNEL_DUMP_PARAMETERS = 4 }; /* the number of parameters of a bugcheck */

struct kernel_dump {
	const struct dump_input *input;
	struct dump_problems *problems;
	bool wide;			     /* of a 64-bit system */
	uint32_t type;			     /* enum kernel_dump_type */
	uint32_t build, machine, processors; /* machine: IMAGE_FILE_MACHINE_*; processors: their number */
	uint32_t bugcheck;
	uint64_t parameters[KERNEL_DUMP_PARAMETERS];
	uint64_t time;			 /* in units of 100 ns since 1601; 0: unknown */
	uint64_t context;		 /* offset of the CONTEXT of the thread that crashed */
	struct dump_exception exception; /* the code is 0 if there was no exception */
	uint32_t module_count;
	/* In a triage dump: the offset in the file of the list of drivers, and the address of the only stack. */
	uint32_t drivers;
	uint64_t triage_stack;
	/* In a dump with pages of memory: the virtual addresses of the entries of the kernel's list of modules
	   (PsLoadedModuleList). */
	uint64_t *entries;
	const struct dump_memory *memory;
};

/* The signatures of dumps of 32-bit and of 64-bit systems. */
#define KERNEL_DUMP_32 "PAGEDUMP"
#define KERNEL_DUMP_64 "PAGEDU64"

/* Read the headers of a dump, which is of a 64-bit system if WIDE; list the modules, and fill MEMORY, which must
   outlive DUMP.  False: INPUT cannot be read (PROBLEMS say why), or no heap memory is left.  Whatever this returns, the
   caller then frees dump->entries, and clears MEMORY with rs_dump_memory_clear(). */
bool rs_kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, bool wide,
			 struct dump_memory *memory, struct dump_problems *problems);

/* Read the data of module number I, as rs_dump_read_module() does. */
bool rs_kernel_dump_read_module(const struct kernel_dump *dump, uint32_t i, bool whole, struct dump_module *module);

#endif
