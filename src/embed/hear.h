/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hear.h - what a child sends through a pipe, until a deadline
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

/* Read at most SIZE bytes.  Returns how many, or 0 if the child sends no more before the deadline. */
size_t hear(struct hearing *hearing, void *bytes, size_t size);

/* Close the pipe and kill the child.  Returns its status, as from waitpid(); kill() does not change the status of a
   child that has already ended. */
int hear_end(struct hearing *hearing);

#endif
