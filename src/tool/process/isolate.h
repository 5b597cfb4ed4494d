/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * isolate.h - closes all files that a child has inherited, except those that it is to use
 *
 * Untrusted data may take over a child that reads it.  With the standard output of its parent, such a child could write
 * false answers; with the standard input, it could read data that it should not see.
 */
#ifndef TOOL_PROCESS_ISOLATE_H
#define TOOL_PROCESS_ISOLATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Call this in the child, before it reads any input.  Closes all descriptors except the COUNT ones that FDS point to,
 * at most ISOLATE_MAX.  These get the numbers from 3 on, which are stored where FDS point.  Descriptors 0, 1 and 2
 * become the ends of one pipe that no other process has: what is written reaches nobody else, and reads and writes fail
 * instead of waiting.  Returns false if a system call has failed, with errno; then the child must end.
 */
enum { ISOLATE_MAX = 20 };
bool isolate_process(int *const *fds, size_t count);

#endif
