/* SPDX-License-Identifier: GPL-2.0-or-later */
/* called.h - under which name a program was called: some take the place of another one when they have its name */
#ifndef TOOL_CALLED_H
#define TOOL_CALLED_H

#include <stdbool.h>

/* Whether PROGRAM, argv[0] or NULL, is NAME or NAME.exe, in whatever directory. */
bool called_as(const char *program, const char *name);

#endif
