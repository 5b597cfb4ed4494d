/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker.h - a child that this process forks, which has no files but its ends of two pipes */
#ifndef TOOL_PROCESS_WORKER_H
#define TOOL_PROCESS_WORKER_H

#include "tool/process/pipe.h"

#include <sys/types.h>

struct worker {
	pid_t id;
	struct pipes pipes;
};

/* What a worker does, which has isolated itself (isolate.h) and ends afterwards. */
typedef void worker_function(void *context, int reading, int writing);

/* Start a worker that does RUN with a copy of all memory.  False with errno. */
bool worker_start(struct worker *worker, worker_function *run, void *context);

/* Close the pipes and kill the worker.  Returns its status, as from waitpid(); kill() does not change the status of a
   child that has already ended. */
int worker_end(struct worker *worker);

/* How many milliseconds to wait for a child that reads INPUT bytes in the limits of sandbox_child(). */
int64_t worker_patience(size_t input);

/* Write to TEXT, which has SIZE bytes, why a child failed that was DOING something.  LATE: it was not waited for any
   longer.  STATUS is from waitpid(). */
void worker_describe(char *text, size_t size, const char *doing, bool late, int status);

#endif
