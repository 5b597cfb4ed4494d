/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - what each program does first; and tests of argv[0], the name by which a program was called, because some
   programs behave as another one if they have its name */
#ifndef TOOL_COMMAND_START_H
#define TOOL_COMMAND_START_H

#include "tool/out.h"

/* Open the standard streams that are closed, and shorten argv[0] on Windows.  From now on, messages begin with argv[0],
   or with NAME if there is no argv[0].  OUT, standard output, is flushed before a message. */
void start_program(int argc, char **argv, const char *name, struct out *out);

/* Whether PROGRAM, which is argv[0] or NULL, is NAME or NAME.exe in any directory. */
bool argv0_is(const char *program, const char *name);

/* If PROGRAM, which is argv[0] or NULL, is a name of GNU addr2line in any directory, returns this name; else NULL.
   Such a name is "addr2line", perhaps after a configuration triplet of MinGW and a hyphen:
   "i686-w64-mingw32-addr2line". */
const char *find_addr2line_name(const char *program);

#endif
