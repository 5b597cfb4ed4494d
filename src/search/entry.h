/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - reads the entries of a directory */
#ifndef SEARCH_ENTRY_H
#define SEARCH_ENTRY_H

#include <dirent.h>

/* Returns the next entry of DIRECTORY, without "." and "..".  NULL: there are no more, and errno is 0; or
   an error, in errno. */
const struct dirent *rs_entry_next(DIR *directory);

/* Returns the path of the entry NAME of DIRECTORY, to be freed by rossym_free().  NULL: no memory. */
char *rs_entry_path(const char *directory, const char *name);

#endif
