/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - read() and write() for streams that others have set up
 *
 * A signal may interrupt a call.  A terminal or pipe may be in the mode in which calls fail instead of waiting, because
 * another process left it so.  Both call for the same thing: wait until the stream is ready, and try again.
 */
#ifndef TOOL_WAIT_H
#define TOOL_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Read up to SIZE bytes, at least one.  Returns how many; 0 at the end; -1 with errno. */
ssize_t wait_read(int fd, void *bytes, size_t size);

/* Read SIZE bytes, or all up to the end if there are fewer.  Returns how many; -1 with errno. */
ssize_t wait_read_all(int fd, void *bytes, size_t size);

/* Write all SIZE bytes.  False with errno; then some of them may have been written. */
bool wait_write(int fd, const void *bytes, size_t size);

enum wait_direction { WAIT_TO_READ, WAIT_TO_WRITE };

/* Wait until FD is ready, at most MS milliseconds, or without end if that is negative.  Returns 1 if it is; 0; or -1
   with errno, which is EINTR after a signal.  On Windows the wait for something to read may be shorter, and any end is
   ready to be written to. */
int wait_until(int fd, enum wait_direction direction, int ms);

/* Whether a read from FD would return at once.  False where that cannot be known. */
bool wait_is_ready(int fd);

/* Whether at least so many BYTES can be read from FD without waiting, if it is a file, or if the system tells. */
bool wait_has(int fd, int bytes);

/* Milliseconds on a clock that nobody sets. */
uint64_t wait_clock(void);

/* If FD is a pipe, let it hold more, where the system can do that: a program that only passes bytes on then waits less
   often.  Needs rights that a sandbox takes away. */
void wait_widen(int fd);

#endif
