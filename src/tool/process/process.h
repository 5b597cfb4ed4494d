/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process.h - other processes: pipes to a process; forking a process that has only the files it is given; ending one
 */
#ifndef TOOL_PROCESS_PROCESS_H
#define TOOL_PROCESS_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pipes {
	int to; /* our end of the pipe to the other process; -1: closed */
	/* The end of `to` that the other process reads from, or -1.  While it is open here, writing raises no SIGPIPE
	   when the other process has ended. */
	int read_end;
	int from; /* our end of the pipe from the other process; -1: closed */
};

/* Make both pipes; all ends are closed on exec.  The other process reads from THEIRS[0], which also stays open here as
   `read_end`, and writes to THEIRS[1], which the caller must close when the other process has it.  False: an error, in
   errno; then all ends are closed.  Works in a sandbox that allows pipe2(). */
bool pipes_open(struct pipes *pipes, int theirs[2]);

/* pipes_close_sending() closes the pipe to the other process, pipes_close() both.  The pipes may be closed already. */
void pipes_close_sending(struct pipes *pipes);
void pipes_close(struct pipes *pipes);

/* Write as many of the SIZE bytes to the other process as a pipe that is ready takes without waiting.  The caller must
   have called poll().  Returns how many bytes were written; 0: none, try again; -1 after an error. */
ssize_t pipes_write_some(struct pipes *pipes, const void *bytes, size_t size);

/* The most files that a forked process can get; and the descriptor of the first one in that process. */
enum { PROCESS_FILES_MAX = 20, PROCESS_FIRST_FILE = 3 };

/* The function that a forked process runs.  When it returns, the process ends with status 0, and does not run the
   handlers that its parent has registered with atexit(). */
typedef void process_function(void *context);

/*
 * Fork a process that calls RUN.  Such a process reads untrusted data, and an attack may gain control of it.  With the
 * standard output of its parent, it could then write false answers; with the standard input, read data that it should
 * not see.  So it has only the COUNT descriptors FILES, under the numbers from PROCESS_FIRST_FILE on, and the
 * descriptors 0, 1 and 2.  These three are ends of a pipe that no other process has, and on which reads and writes fail
 * instead of waiting.  Returns the process id, or -1 after an error, in errno.
 */
pid_t process_fork(const int *files, size_t count, process_function *run, void *context);

/* Kill the process ID, a child of this process, unless it has ended already, and wait for its end.  Returns its status,
   as from waitpid(). */
int process_end(pid_t id);

#endif
