/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h - the threads of dumps of all kinds, and where they are */
#ifndef DUMP_THREADS_H
#define DUMP_THREADS_H

#include "dump/contents.h"
#include "dump/registers.h"

struct dump_thread {
	uint32_t id; /* of a kernel dump: 0 */
	bool crashed;
	uint64_t context; /* its offset */
	uint32_t size;	  /* of it; 0: there is none */
};

/* NULL: another one, or it is not known. */
const struct dump_processor *rs_dump_contents_processor(const struct dump_contents *dump);

/* How many there are, and the number of the one that crashed; the number of threads: none has.  A thread that crashed and is not
   listed comes after those that are. */
uint32_t rs_dump_thread_count(const struct dump_contents *dump);
uint32_t rs_dump_crashed_thread(const struct dump_contents *dump);

/* False: there is none, or it cannot be read. */
bool rs_dump_thread(const struct dump_contents *dump, uint32_t i, struct dump_thread *thread);

/* Store where THREAD is.  False: that is not known. */
bool rs_dump_thread_frame(const struct dump_contents *dump, const struct dump_thread *thread,
			  struct unwind_frame *frame);

#endif
