/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - another program, with pipes to its standard input and from its standard output
 *
 * Its standard error is ours.  It inherits no other open file, as long as all of them are opened with O_CLOEXEC.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include "tool/process/pipe.h"

struct process {
	intptr_t id;	    /* 0: none, or it has been waited for */
	struct pipes pipes; /* to its standard input, and from its standard output */
	bool ended;
	int status; /* if it has ended: as waitpid() gives it; on Windows its exit status */
};

/* Start PROGRAM, searched for in PATH unless it has a slash, with the arguments ARGV; ARGV[0] is the name under which
   it is called.  Returns 0 or an errno; ENOSYS on a system where this is not possible.  After success, the caller closes
   the pipes. */
int process_start(struct process *process, const char *program, char *const *argv);

/* As process_start(), for a program that may not be needed: PROGRAM is run only when something has been written to its
   standard input.  Until then a copy of this process waits, which costs a tenth of what a program costs; without
   fork(), PROGRAM runs at once. */
int process_start_idle(struct process *process, const char *program, char *const *argv);

/* Whether it has ended; does not wait.  In a sandbox, which does not allow the question, the answer is no. */
bool process_has_ended(struct process *process);

/* End it, and wait for its end.  Does nothing in a sandbox: a program that we cannot end will see its pipes close. */
void process_kill(struct process *process);

#endif
