/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - starts another program, with pipes to its standard input and from its standard output
 *
 * The other program shares standard error with this one.  It inherits no other open file, provided that this program
 * opens all files with O_CLOEXEC.
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include "tool/process/pipe.h"

struct process {
	intptr_t id;	    /* process id; on Windows a handle; 0: none */
	struct pipes pipes; /* to the program's standard input, and from its standard output */
	bool ended;	    /* process_has_ended() has seen its end */
	int status;	    /* if `ended`: as from waitpid(); on Windows the exit status */
};

/* Start PROGRAM with the arguments ARGV, of which ARGV[0] is the name of the program.  PROGRAM is searched for in PATH
   unless it has a slash; on Windows it must be a path.  Returns 0 or an errno; ENOSYS on a system where this is not
   possible.  After success, the caller must close the pipes. */
int process_start(struct process *process, const char *program, char *const *argv);

/* Whether the program has ended; does not wait.  In a sandbox, which does not allow waitpid(), returns false. */
bool process_has_ended(struct process *process);

/* Kill the program, and wait for its end.  In a sandbox, which does not allow kill(), does nothing: a helper ends by
   itself when its standard input closes. */
void process_kill(struct process *process);

#endif
