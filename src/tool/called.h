/* SPDX-License-Identifier: GPL-2.0-or-later */
/* called.h - under which name a program was called: some take the place of another one when they have its name */
#ifndef TOOL_CALLED_H
#define TOOL_CALLED_H

#include <stdbool.h>

/* On Windows, leave "name" of argv[0]: what is typed as "name" arrives there as "C:\\dir\\name.exe", and messages begin
   with it.  Nothing elsewhere. */
void called_plainly(char **argv);

/* Whether PROGRAM, argv[0] or NULL, is NAME or NAME.exe, in whatever directory. */
bool called_as(const char *program, const char *name);

#endif
