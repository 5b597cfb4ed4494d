/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h - the threads in dumps of all kinds, and the first frame of each */
#ifndef DUMP_THREADS_H
#define DUMP_THREADS_H

#include "dump/contents.h"
#include "dump/registers.h"

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

/* Read about thread number I.  False: there is no such thread, or it cannot be read. */
bool rs_dump_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread);

/* Store the first frame of THREAD, from its CONTEXT.  False: the CONTEXT is absent, cannot be
   read, or lacks registers. */
bool rs_dump_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			  struct unwind_frame *frame);

#endif
