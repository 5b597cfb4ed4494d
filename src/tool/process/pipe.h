/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipe.h - two pipes to another process; sending and receiving with a deadline
 *
 * The other process may never answer or end: it may be stopped, or a hostile file may have taken it over.  So these
 * functions return when the deadline has passed, or when the other process has closed its end.
 */
#ifndef TOOL_PROCESS_PIPE_H
#define TOOL_PROCESS_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pipes {
	int to; /* our end of the pipe to the other process; -1: closed */
	/* POSIX: the end of `to` that the other process reads from, or -1.  While it is open here, writing raises no
	   SIGPIPE when the other process has ended. */
	int read_end;
	int from;	  /* our end of the pipe from the other process; -1: closed */
	bool blocks;	  /* a large write to `to` can wait, because O_NONBLOCK could not be set */
	bool late;	  /* the deadline has passed in the last send or receive */
	int64_t deadline; /* ms, by wait_clock_milliseconds() */
};

#ifndef _WIN32
/* Make both pipes; all ends are closed on exec.  The other process reads from THEIRS[0], which also stays open here as
   `read_end`, and writes to THEIRS[1], which the caller must close when the other process has it.  False: an error, in
   errno; then all ends are closed.  Works in a sandbox that allows pipe2(). */
bool pipes_open(struct pipes *pipes, int theirs[2]);
#endif

/* pipes_close_to() closes the pipe to the other process, pipes_close() both.  The pipes may be closed already. */
void pipes_close_to(struct pipes *pipes);
void pipes_close(struct pipes *pipes);

/* Set the deadline to MS milliseconds from now. */
void pipes_set_deadline(struct pipes *pipes, int64_t ms);

/* Returns the milliseconds until the deadline; 0: it has passed. */
int64_t pipes_time_left(const struct pipes *pipes);

/* If this process is stopped for more than about a second, pipes_send() and pipes_receive_some() extend the deadline by
   that time, because Ctrl+Z also stops the other process, which is in the same process group. */

/* Send SIZE bytes.  False: an error, or the deadline has passed, or the other process has ended or has sent something
   before it has read everything.  On Windows, writing has no deadline. */
bool pipes_send(struct pipes *pipes, const void *bytes, size_t size);

/* Receive at most SIZE bytes.  Returns how many; 0: none has come before the deadline, or the pipe has ended. */
size_t pipes_receive_some(struct pipes *pipes, void *bytes, size_t size);

#endif
