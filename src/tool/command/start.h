/* SPDX-License-Identifier: GPL-2.0-or-later */
/* start.h - what each program does first; and the name under which it was called (argv[0]): some programs behave as another
   one under its name */
#ifndef TOOL_COMMAND_START_H
#define TOOL_COMMAND_START_H

#include "tool/out.h"

/* Open those standard streams that are closed, shorten argv[0] on Windows, and begin messages with it; with NAME if there
   is none.  OUT: standard output. */
void start_program(int argc, char **argv, const char *name, struct out *out);

/* Whether PROGRAM, which is argv[0] or NULL, is NAME or NAME.exe in any directory. */
bool argv0_is(const char *program, const char *name);

/* If PROGRAM, which is argv[0] or NULL, takes the place of GNU addr2line, returns its name without the directory; else
   NULL.  Such a name is "addr2line", or that after a configuration triplet of MinGW and a hyphen:
   "i686-w64-mingw32-addr2line". */
const char *argv0_as_addr2line(const char *program);

#endif
