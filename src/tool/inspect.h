/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.h - the whole table, for people and programs that want to see it rather than ask it */
#ifndef TOOL_INSPECT_H
#define TOOL_INSPECT_H

#include "rossym.h"
#include "tool/out.h"

/* Both return the program's exit status and have said what is wrong with the file PATH. */

/* One line a row: address, size, function, file, line, depth, separated by tabs. */
int inspect_dump(struct rossym_image *image, const char *path, struct out *out);

/* What kind of table it is, then what is odd about it. */
int inspect_check(struct rossym_image *image, const char *path, struct out *out);

#endif
