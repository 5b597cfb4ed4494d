/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel-dump.h - what a kernel memory dump says: bugcheck, exception, drivers, the stack
 *
 * All have a header of 4096 or 8192 bytes, "PAGEDUMP" or "PAGEDU64".  Triage dumps, which Windows calls small memory dumps, are read
 * further: they have a list of the drivers, one stack, and some pieces of memory.
 */
#ifndef DUMP_KERNEL_DUMP_H
#define DUMP_KERNEL_DUMP_H

#include "dump/memory.h"
#include "dump/module.h"

enum {
	KERNEL_DUMP_DRIVERS = 8192,
	KERNEL_DUMP_BLOCKS = 1 << 16, /* the most that are read */
	KERNEL_DUMP_PARAMETERS = 4,
};

enum kernel_dump_type {
	KERNEL_DUMP_TRIAGE = 4,
};

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
	} exception;
	/* Of a triage dump. */
	uint32_t drivers, driver_count, blocks, block_count; /* offset and number of entries */
	struct dump_piece stack;
};

/* Whether the 8 bytes at BYTES begin a kernel dump. */
bool kernel_dump_is(const uint8_t *bytes);

/* Read the headers.  False: INPUT cannot be read; PROBLEMS say why. */
bool kernel_dump_open(struct kernel_dump *dump, const struct dump_input *input, struct dump_problems *problems);

/* False: there is none, or it cannot be read. */
bool kernel_dump_module(const struct kernel_dump *dump, uint32_t i, struct dump_module *module);
bool kernel_dump_range(const struct kernel_dump *dump, uint32_t i, uint64_t *base, uint32_t *size);

/* Find its memory: the stack first.  False: no memory is left for it.  dump_memory_close() frees it in any case. */
bool kernel_dump_fill(const struct kernel_dump *dump, struct dump_memory *memory);

#endif
