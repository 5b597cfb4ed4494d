/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * isolate.h - takes from a child all files that it has inherited, but its own pipes
 *
 * A child that reads a stranger's bytes may be taken over by them.  If it still had its parent's standard output, it
 * could write answers in the parent's name; with the standard input, it could read what is meant for others.
 */
#ifndef TOOL_PROCESS_ISOLATE_H
#define TOOL_PROCESS_ISOLATE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Call it in the child, before it reads any input.  Closes all descriptors but the COUNT ones that FDS point to, and
 * stores their new numbers, which are 3 and those after it.  Descriptors 0, 1 and 2 become a pipe that leads nowhere:
 * reading finds nothing, what is written is lost, and nothing waits.  COUNT is at most ISOLATE_MOST.  Returns false if
 * a system call fails; errno says why.  Then the child must end.
 */
enum { ISOLATE_MOST = 4 };
bool isolate(int *const *fds, size_t count);

#endif
