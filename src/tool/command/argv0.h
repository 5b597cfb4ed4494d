/* SPDX-License-Identifier: GPL-2.0-or-later */
/* argv0.h - the name under which a program was called: some behave as another program if they have its name */
#ifndef TOOL_COMMAND_ARGV0_H
#define TOOL_COMMAND_ARGV0_H

#include <stdbool.h>

/* On Windows, shorten argv[0] to the name that the user typed: "name" arrives as "C:\\dir\\name.exe", and messages
   begin with argv[0].  Does nothing elsewhere. */
void argv0_shorten(char **argv);

/* Whether PROGRAM, which is argv[0] or NULL, is NAME or NAME.exe in any directory. */
bool argv0_is(const char *program, const char *name);

/* If PROGRAM, which is argv[0] or NULL, is NAME after a configuration triplet of MinGW and a hyphen, in any directory,
   returns the part without the directory.  Else returns NULL. */
const char *argv0_for_mingw(const char *program, const char *name);

#endif
