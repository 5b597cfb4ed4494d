/* SPDX-License-Identifier: GPL-2.0-or-later */
/* std.h - the three standard streams, as a program must find them */
#ifndef TOOL_STD_H
#define TOOL_STD_H

/* Make sure that 0, 1 and 2 are taken, so that a file that is opened later does not become standard input or
   output.  One that was closed becomes an empty input or an output that cannot be written.  On Windows they
   become binary, too. */
void std_streams(void);

#endif
