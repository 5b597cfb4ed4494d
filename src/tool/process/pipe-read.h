/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pipe-read.h - what a child and its parent send each other through pipes, until a deadline
 *
 * The child cannot be trusted to end itself: it may be stopped, or a hostile file may have taken it over.  So the
 * parent watches the clock.
 */
#ifndef TOOL_PROCESS_PIPE_READ_H
#define TOOL_PROCESS_PIPE_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct pipe_reader {
	pid_t child;	  /* 0: another process is its parent */
	int fd;		  /* the end of the pipe that is read */
	int64_t deadline; /* in milliseconds of CLOCK_MONOTONIC */
	bool late;	  /* it has passed */
};

/* Begin to read from FD what CHILD sends, for at most PATIENCE milliseconds from now on.  Time in which this process
   was stopped does not count. */
void pipe_reader_begin(struct pipe_reader *reader, pid_t child, int fd, int64_t patience);

/* Begin the time anew, for something else that the same child does. */
void pipe_reader_again(struct pipe_reader *reader, int64_t patience);

/* Send SIZE bytes to the child through the pipe FD, to which writing raises no SIGPIPE.  False: the child has ended, or
   sends something before it has read everything, or the deadline has passed. */
bool pipe_reader_tell(struct pipe_reader *reader, int fd, const void *bytes, size_t size);

/* The patience, in milliseconds, with a child that reads INPUT bytes in the limits of sandbox_child(). */
int64_t pipe_reader_patience(size_t input);

/* Milliseconds until the deadline; 0: it has passed. */
int64_t pipe_reader_time_left(const struct pipe_reader *reader);

/* Read at most SIZE bytes.  Returns how many, or 0 if the child sends no more before the deadline. */
size_t pipe_read(struct pipe_reader *reader, void *bytes, size_t size);

/* Read SIZE bytes.  False: the child sends fewer before the deadline. */
bool hear_all(struct pipe_reader *reader, void *bytes, size_t size);

/* Close the pipe and kill the child.  Returns its status, as from waitpid(); kill() does not change the status of a
   child that has already ended. */
int pipe_reader_end(struct pipe_reader *reader);

/* Write to TEXT, which has SIZE bytes, why a child failed that was DOING something.  STATUS is from waitpid(). */
void pipe_reader_describe(char *text, size_t size, const char *doing, bool late, int status);

#endif
