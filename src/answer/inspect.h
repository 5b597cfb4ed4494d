/* SPDX-License-Identifier: GPL-2.0-or-later */
/* inspect.h - --dump prints a table, --check validates it */
#ifndef ANSWER_INSPECT_H
#define ANSWER_INSPECT_H

#include "rossym.h"
#include "tool/out.h"

/* The two functions below return the exit status of the program.  If it is not 0, they have printed a message about the file PATH. */

/* Print a line for each frame of each row, and for each function whose end the table knows: address, size, function, file,
   line, depth, separated by tabs. */
int inspect_dump(struct rossym_image *image, const char *path, struct out *out);

/* Print the kind and size of the table, and a note for each kind of row that is valid but unusual. */
int inspect_check(struct rossym_image *image, const char *path, struct out *out);

#endif
