/* SPDX-License-Identifier: GPL-2.0-or-later */
/* std-streams.h - make sure at the start that the three standard streams are open */
#ifndef TOOL_COMMAND_STD_STREAMS_H
#define TOOL_COMMAND_STD_STREAMS_H

/* Open those of the descriptors 0, 1 and 2 that are closed, so that no file that is opened later becomes standard input
   or output. A stream that was closed becomes an empty input, or an output to which writing fails.  On Windows, make
   all of them binary. */
void std_streams_open(void);

#endif
