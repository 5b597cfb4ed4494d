/* SPDX-License-Identifier: GPL-2.0-or-later */
/* called.h - the name under which a program was called: some behave as another program if they have its name */
#ifndef TOOL_COMMAND_CALLED_H
#define TOOL_COMMAND_CALLED_H

#include <stdbool.h>

/* On Windows, shorten argv[0] to the name that the user typed: "name" arrives as "C:\\dir\\name.exe", and messages
   begin with argv[0].  Does nothing elsewhere. */
void called_plainly(char **argv);

/* Whether PROGRAM, which is argv[0] or NULL, is NAME or NAME.exe in any directory. */
bool called_as(const char *program, const char *name);

/* If PROGRAM, which is argv[0] or NULL, is NAME after a configuration triplet of MinGW and a hyphen, in any directory,
   returns the part without the directory.  Else returns NULL. */
const char *called_for_mingw(const char *program, const char *name);

#endif
