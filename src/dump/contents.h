/* SPDX-License-Identifier: GPL-2.0-or-later */
/* contents.h - opens dumps of all kinds, and reads their modules, memory and threads */
#ifndef DUMP_CONTENTS_H
#define DUMP_CONTENTS_H

#include "dump/kernel-dump.h"
#include "dump/minidump.h"
#include "dump/registers.h"

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

/* Read about module number I: all, if WHOLE; else at least its base and size.  False: there is no such module, or it
   cannot be read. */
bool rs_dump_module(const struct dump_contents *dump, uint32_t i, bool whole, struct dump_module *module);

struct dump_thread {
	uint32_t id; /* 0 in a kernel dump, which does not tell it */
	bool crashed;
	uint64_t context; /* offset in the file of the thread's CONTEXT */
	uint32_t size;	  /* bytes of the CONTEXT; 0: there is none */
};

/* Returns the processor of the system that was dumped; NULL: the dump does not say, or it is none that rossym knows. */
const struct dump_processor *rs_dump_contents_processor(const struct dump_contents *dump);

/* Return the number of threads, and the index of the thread that crashed.  If none crashed, the index is the number of
   threads.  If the thread that crashed is not in the dump's list, it is counted as the last thread. */
uint32_t rs_dump_thread_count(const struct dump_contents *dump);
uint32_t rs_dump_crashed_thread(const struct dump_contents *dump);

/* Read what the dump has about thread number I.  False: there is no such thread, or it cannot be read. */
bool rs_dump_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread);

/* Store the first frame of THREAD, from its CONTEXT.  False: the CONTEXT is absent, cannot be
   read, or lacks registers. */
bool rs_dump_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			  struct unwind_frame *frame);

#endif
