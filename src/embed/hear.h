/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hear.h - what a child and its parent send each other through pipes, until a deadline
 *
 * The child cannot be trusted to end itself: it may be stopped, or a hostile file may have taken it over.  So the
 * parent watches the clock.
 */
#ifndef HEAR_H
#define HEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct hearing {
	pid_t child;
	int fd;			/* the end of the pipe that is read */
	struct timespec deadline;
	bool late;		/* the deadline has passed */
};

/* Begin to read from FD what CHILD sends.  The deadline follows from INPUT, the number of bytes that the child reads,
   as the limits of sandbox_child() do. */
void hear_begin(struct hearing *hearing, pid_t child, int fd, size_t input);

/* Begin the time anew, for something else that the same child does. */
void hear_again(struct hearing *hearing, size_t input);

/* Send SIZE bytes to the child.  FD does not block, and writing to it raises no SIGPIPE.  False: the child has ended, or sends
   something before it has read everything, or the deadline has passed. */
bool hear_tell(struct hearing *hearing, int fd, const void *bytes, size_t size);

/* Read at most SIZE bytes.  Returns how many, or 0 if the child sends no more before the deadline. */
size_t hear(struct hearing *hearing, void *bytes, size_t size);

/* Close the pipe and kill the child.  Returns its status, as from waitpid(); kill() does not change the status of a
   child that has already ended. */
int hear_end(struct hearing *hearing);

#endif
