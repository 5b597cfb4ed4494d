/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contents.h - opens dumps of all kinds, and reads their modules and memory */
#ifndef DUMP_CONTENTS_H
#define DUMP_CONTENTS_H

#include "dump/kernel-dump.h"
#include "dump/minidump.h"

struct dump_contents {
	bool is_kernel;
	struct minidump minidump;  /* if not is_kernel */
	struct kernel_dump kernel; /* if is_kernel */
	struct dump_memory memory;
	uint32_t module_count;
};

enum { DUMP_SIGNATURE = 8 };

/* Whether a file whose first DUMP_SIGNATURE bytes are at BYTES has the signature of a dump. */
bool rs_dump_is(const uint8_t *bytes);

/* Open the dump INPUT.  From then on DUMP must stay at its address, because some members point to others.  False: INPUT
   cannot be read (PROBLEMS say why), or no heap memory is left.  rs_dump_contents_close() frees DUMP in either case. */
bool rs_dump_contents_open(struct dump_contents *dump, const struct dump_input *input, struct dump_problems *problems);
void rs_dump_contents_close(struct dump_contents *dump);

/* Read all about module number I; the second function reads only its base and size.  False: there is no such module, or
   it cannot be read. */
bool rs_dump_module(const struct dump_contents *dump, uint32_t i, struct dump_module *module);
bool rs_dump_range(const struct dump_contents *dump, uint32_t i, uint64_t *base, uint32_t *size);

#endif
