/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hear.h - what a child sends through a pipe, for as long as an honest one takes
 *
 * Nothing that a child sets up for itself ends it reliably: it may be stopped, or have taken over what it reads with.  So
 * the parent looks at the clock.
 */
#ifndef HEAR_H
#define HEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

struct hearing {
	pid_t child;
	int fd;			/* the end for reading */
	struct timespec deadline;
	bool late;		/* it has passed */
};

/* Begin to hear what CHILD sends to FD.  It reads INPUT bytes: the limits of sandbox_child(). */
void hear_begin(struct hearing *hearing, pid_t child, int fd, size_t input);

/* At least one byte and at most SIZE.  0: no more comes in time. */
size_t hear(struct hearing *hearing, void *bytes, size_t size);

/* End the child.  Returns how it ended, as waitpid(): a child that is ending already keeps the status that it ends with. */
int hear_end(struct hearing *hearing);

#endif
