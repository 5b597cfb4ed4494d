/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel-dump.h - what a kernel memory dump says: bugcheck, exception, modules, memory
 *
 * All have a header of 4096 or 8192 bytes, "PAGEDUMP" or "PAGEDU64".  Then a triage dump has what Windows calls small memory dump
 * (triage.h); the others have pages of physical memory (kernel-pages.h), in which all else is found.
 */
#ifndef DUMP_KERNEL_DUMP_H
#define DUMP_KERNEL_DUMP_H

#include "dump/kernel-pages.h"
#include "dump/loaded.h"
#include "dump/triage.h"

enum { KERNEL_DUMP_PARAMETERS = 4, KERNEL_DUMP_EXCEPTION = 15 };

struct kernel_dump {
	const struct dump_input *input;
	struct dump_problems *problems;
	bool wide; /* of a 64-bit system */
	uint32_t type;
	uint32_t build, machine, processors; /* machine: IMAGE_FILE_MACHINE_x */
	uint32_t bugcheck;
	uint64_t parameters[KERNEL_DUMP_PARAMETERS];
	uint64_t time;	  /* 100 ns since 1601; 0: not known */
	uint64_t context; /* its offset */
	struct {
		uint32_t code; /* 0: there is none */
		uint64_t address;
		uint32_t parameter_count;
		uint64_t parameters[KERNEL_DUMP_EXCEPTION];
	} exception;
	struct triage triage;	   /* of a triage dump */
	struct dump_loaded loaded; /* of the others */
};

/* Whether the 8 bytes at BYTES begin a kernel dump. */
bool rs_kernel_dump_is(const uint8_t *bytes);

/* Read the headers, and find MEMORY, which stays in use.  False: INPUT cannot be read, and PROBLEMS say why, or no memory is
   left.  rs_kernel_dump_close() and rs_dump_memory_close() free it in any case. */
bool rs_kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, struct dump_memory *memory,
			 struct dump_problems *problems);
void rs_kernel_dump_close(struct kernel_dump *dump);

uint32_t rs_kernel_dump_module_count(const struct kernel_dump *dump);
/* False: there is none, or it cannot be read. */
bool rs_kernel_dump_module(const struct kernel_dump *dump, uint32_t i, struct dump_module *module);
bool rs_kernel_dump_range(const struct kernel_dump *dump, uint32_t i, uint64_t *base, uint32_t *size);

#endif
