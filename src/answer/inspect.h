/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.h - the whole table: --dump prints it, --check validates it */
#ifndef ANSWER_INSPECT_H
#define ANSWER_INSPECT_H

#include "rossym.h"
#include "tool/out.h"

/* Both return the exit status of the program, after a message about the file PATH if it is not 0. */

/* Print a line for each frame of each row: address, size, function, file, line, depth, separated by tabs. */
int inspect_dump(struct rossym_image *image, const char *path, struct out *out);

/* Print the kind and size of the table, then a note for each kind of odd row. */
int inspect_check(struct rossym_image *image, const char *path, struct out *out);

#endif
