/* SPDX-License-Identifier: GPL-2.0-or-later */
/* wait.h - what to do when read() or write() returned -1 for no good reason */
#ifndef TOOL_WAIT_H
#define TOOL_WAIT_H

#include <stdbool.h>

enum wait_for { WAIT_READ, WAIT_WRITE };

/* Whether the call on FD that just set errno should be repeated: a signal came, or FD is in the mode in which it would
   rather fail than wait (a terminal or pipe that another process left so), and now it is ready. */
bool wait_again(int fd, enum wait_for what);

#endif
