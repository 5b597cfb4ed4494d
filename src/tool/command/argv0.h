/* SPDX-License-Identifier: GPL-2.0-or-later */
/* argv0.h - the name under which a program was called (argv[0]); some programs behave as another one under its name */
#ifndef TOOL_COMMAND_ARGV0_H
#define TOOL_COMMAND_ARGV0_H

#include <stdbool.h>

/* On Windows, shorten argv[0], "C:\\dir\\name.exe", to "name", because messages begin with argv[0].  Does nothing on
   other systems. */
void argv0_shorten(char **argv);

/* Whether PROGRAM, which is argv[0] or NULL, is NAME or NAME.exe in any directory. */
bool argv0_is(const char *program, const char *name);

/* If PROGRAM, which is argv[0] or NULL, takes the place of GNU addr2line, returns its name without the directory; else
   NULL.  Such a name is "addr2line", or that after a configuration triplet of MinGW and a hyphen:
   "i686-w64-mingw32-addr2line". */
const char *argv0_as_addr2line(const char *program);

#endif
