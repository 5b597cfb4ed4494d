/* SPDX-License-Identifier: GPL-2.0-or-later */
/* path.h - finds the last part of a path, compares the files of two paths, and reads the entries of a directory */
#ifndef SEARCH_PATH_H
#define SEARCH_PATH_H

#include <stdbool.h>
#include <dirent.h>

/* Returns the part of PATH, a path of this system, after its last slash or drive letter. */
const char *rs_path_base(const char *path);

/* Whether the paths A and B are equal, or name the same file. */
bool rs_paths_name_same_file(const char *a, const char *b);

/* Returns the next entry of DIRECTORY, without "." and "..".  NULL: an error, in errno; or no more, if errno is 0. */
const struct dirent *rs_entry_read_next(DIR *directory);

/* Returns the path of the entry NAME of DIRECTORY, to be freed by rossym_free().  NULL: no memory. */
char *rs_entry_make_path(const char *directory, const char *name);

#endif
