/* SPDX-License-Identifier: GPL-2.0-or-later */
/* std-streams.h - opens standard streams that are closed when a program starts */
#ifndef TOOL_COMMAND_STD_STREAMS_H
#define TOOL_COMMAND_STD_STREAMS_H

/* On POSIX systems, open those of the descriptors 0, 1 and 2 that are closed, because a file that is opened later could
   otherwise become standard input or output.  A closed input becomes an empty one; a closed output becomes one to which writing
   fails.  On Windows, switch all three to binary mode instead, and a console to UTF-8. */
void std_streams_open(void);

#endif
