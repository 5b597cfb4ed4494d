/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker.h - forks a child process whose only open files are its ends of two pipes */
#ifndef TOOL_PROCESS_WORKER_H
#define TOOL_PROCESS_WORKER_H

#include "tool/process/pipe.h"

#include <sys/types.h>

struct worker {
	pid_t id;
	struct pipes pipes;
};

/* What a worker does, after it has been isolated (isolate.h).  When the function returns, the worker ends. */
typedef void worker_function(void *context, int reading, int writing);

/* Fork a worker that runs RUN.  It has a copy of this process's memory.  False: an error, in errno. */
bool worker_start(struct worker *worker, worker_function *run, void *context);

/* Close the pipes, and kill the worker if it still runs.  Returns its status, as from waitpid(). */
int worker_end(struct worker *worker);

/* Returns how many milliseconds to wait for a child that reads INPUT bytes, with the limits of sandbox_child(). */
int64_t worker_patience(size_t input);

/* Store in TEXT, which has SIZE bytes, why a child has failed.  DOING: what it did, such as "reading the dump".  LATE:
   its deadline has passed.  STATUS: from waitpid(). */
void worker_describe(char *text, size_t size, const char *doing, bool late, int status);

#endif
