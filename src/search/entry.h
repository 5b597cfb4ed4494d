/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - reads the entries of a directory */
#ifndef SEARCH_ENTRY_H
#define SEARCH_ENTRY_H

#include <dirent.h>

enum entry { ENTRY_OTHER, ENTRY_FILE, ENTRY_DIRECTORY };

/* Returns the next entry of DIRECTORY, without "." and "..".  NULL: there are no more, and errno is 0; or
   an error, in errno. */
const struct dirent *rs_entry_next(DIR *directory);

/* Returns the path of the entry NAME of DIRECTORY, to be freed by rossym_free().  NULL: no memory. */
char *rs_entry_path(const char *directory, const char *name);

/* Returns whether ENTRY, whose path is PATH, is a file, a directory or something else.  Makes no system call if
   readdir() has returned the type (d_type).  A symbolic link to a file is a file; one to a directory is ENTRY_OTHER,
   because it may lead to a directory above. */
enum entry rs_entry_kind(const struct dirent *entry, const char *path);

#endif
