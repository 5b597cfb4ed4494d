/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.h - when read() and write() return: what to do when they returned -1 for no good reason, and whether they will wait */
#ifndef TOOL_WAIT_H
#define TOOL_WAIT_H

#include <stdbool.h>

enum wait_for { WAIT_READ, WAIT_WRITE };

/* Whether the call on FD that just set errno should be repeated: a signal came, or FD is in the mode in which it would
   rather fail than wait (a terminal or pipe that another process left so), and now it is ready. */
bool wait_again(int fd, enum wait_for what);

/* Whether a read from FD would return at once.  False where that cannot be known. */
bool wait_is_ready(int fd);

#endif
