/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.h - read() and write() that retry
 *
 * A signal may interrupt a call (EINTR).  Another process may have left a terminal or pipe in non-blocking mode, in
 * which calls fail instead of waiting (EAGAIN).  In both cases these functions wait until the stream is
 * ready, and try again.
 */
#ifndef TOOL_WAIT_H
#define TOOL_WAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Read up to SIZE bytes, at least one.  Returns how many; 0 at the end; -1 after an error, in errno. */
ssize_t wait_read(int fd, void *bytes, size_t size);

/* Read SIZE bytes, or all bytes up to the end if these are fewer.  Returns how many; -1 after an error, in errno. */
ssize_t wait_read_all(int fd, void *bytes, size_t size);

/* Write all SIZE bytes.  False: an error, in errno; some of the bytes may have been written. */
bool wait_write(int fd, const void *bytes, size_t size);

enum wait_direction { WAIT_TO_READ, WAIT_TO_WRITE };

/* Wait until FD is ready to read or to write, at most MS milliseconds; without limit if MS is negative.  Returns 1 if
   FD is ready; 0 if the time is over; -1 after an error, in errno: EINTR after a signal, EINVAL where the system cannot
   tell.  On Windows, waiting to read may return 0 too early, and waiting to write always returns 1. */
int wait_for_descriptor(int fd, enum wait_direction direction, int ms);

/* Whether a read from FD would return at once.  False where the system cannot tell. */
bool wait_is_ready(int fd);

/* Returns the milliseconds of a monotonic clock. */
uint64_t wait_clock_milliseconds(void);

#endif
