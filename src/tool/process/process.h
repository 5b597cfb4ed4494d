/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - another program, with pipes to its standard input and from its standard output
 *
 * Its standard error is ours.  It inherits no other open file, as long as all of them are opened with O_CLOEXEC.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

struct process {
	intptr_t id; /* 0: none, or it has been waited for */
	/* its standard input: it never blocks (POSIX), and writing to it raises no signal; -1 when closed */
	int to;
	int from; /* its standard output; -1 when closed */
	int kept; /* POSIX: the other end of `to`, which is kept open so that no SIGPIPE comes */
	bool ended;
	int status; /* if it has ended: as waitpid() gives it; on Windows its exit status */
};

/* Start PROGRAM, searched for in PATH unless it has a slash, with the arguments ARGV; ARGV[0] is the name under which
   it is called.  Returns 0 or an errno; ENOSYS on a system where this is not possible.  After success, the caller gives
   PROCESS to process_close(). */
int process_start(struct process *process, const char *program, char *const *argv);

/* As process_start(), for a program that may not be needed: PROGRAM is run only when something has been written to its
   standard input.  Until then a copy of this process waits, which costs a tenth of what a program costs; without
   fork(), PROGRAM runs at once. */
int process_start_idle(struct process *process, const char *program, char *const *argv);

#ifndef _WIN32
/* Make a pipe whose ends no program inherits.  False with errno; then both are -1.  A sandbox that allows to make pipes
   allows this. */
bool process_pipe(int ends[2]);
#endif

/* Close its standard input, or all pipes.  They may be closed already. */
void process_close_input(struct process *process);
void process_close(struct process *process);

/* Whether it has ended; does not wait.  In a sandbox, which does not allow the question, the answer is no. */
bool process_has_ended(struct process *process);

/* End it, and wait for its end.  Does nothing in a sandbox: a program that we cannot end will see its pipes close. */
void process_kill(struct process *process);

#endif
