/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipe.h - two pipes to another process, and what is sent through them until a deadline
 *
 * The process cannot be trusted to answer or to end: it may be stopped, or a hostile file may have taken it over.  So
 * this program watches the clock, and notices the end of the other side.
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
	int from; /* our end of the pipe from it; -1: closed */
	/* large writes to `to` would wait: it is not in the mode in which they fail instead */
	bool blocks;
	bool late;	  /* the deadline has passed */
	int error;	  /* the errno of the last write; 0: it was good, or the other process has closed its end */
	int64_t deadline; /* on wait_clock() */
};

#ifndef _WIN32
/* Make both pipes, whose ends no program inherits.  The other process reads from THEIRS[0], which stays open here as
   `read_end`, and writes to THEIRS[1], which the caller closes when the other process has it.  False with errno; then all
   ends are closed.  A sandbox that allows to make pipes allows this. */
bool pipes_open(struct pipes *pipes, int theirs[2]);
#endif

/* Close the pipe to the other process, or both.  They may be closed already. */
void pipes_close_to(struct pipes *pipes);
void pipes_close(struct pipes *pipes);

/* Let the deadline be MS milliseconds from now. */
void pipes_allow(struct pipes *pipes, int64_t ms);

/* Milliseconds until the deadline; 0: it has passed. */
int64_t pipes_time_left(const struct pipes *pipes);

/* The next three do not count the time in which this process was stopped: in the foreground of a terminal, the other
   one was stopped with it. */

/* Send SIZE bytes.  False: the other process has ended, or sends something before it has read everything, or the
   deadline has passed.  On Windows, writing has no deadline. */
bool pipes_send(struct pipes *pipes, const void *bytes, size_t size);

/* Receive at most SIZE bytes.  Returns how many, or 0 if no more come before the deadline. */
size_t pipes_receive_some(struct pipes *pipes, void *bytes, size_t size);

/* Receive SIZE bytes.  False: fewer come before the deadline. */
bool pipes_receive(struct pipes *pipes, void *bytes, size_t size);

#endif
