/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - the last part of a path, and whether two paths name the same file */
#ifndef SEARCH_PATH_H
#define SEARCH_PATH_H

#include <stdbool.h>

/* Returns the part of PATH, a path of the host, after its last slash or drive. */
const char *rs_path_base(const char *path);

/* Returns the part of PATH, a path of any system, after its last "/" or "\". */
const char *rs_path_last_part(const char *path);

/* Whether the paths A and B are equal, or name the same file. */
bool rs_path_is_same(const char *a, const char *b);

#endif
