/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry.h - the entries of a directory: files, directories, and what is never looked into */
#ifndef TOOL_FILES_ENTRY_H
#define TOOL_FILES_ENTRY_H

#include <dirent.h>
#include <stdbool.h>

enum entry { ENTRY_OTHER, ENTRY_FILE, ENTRY_DIRECTORY };

/* Returns the next entry of DIRECTORY but for "." and "..".  NULL: there are no more, and errno is 0; or reading
   has failed. */
const struct dirent *entry_next(DIR *directory);

/* Returns the path of the entry NAME of DIRECTORY, for the caller to free.  NULL: no memory. */
char *entry_path(const char *directory, const char *name);

/* Store in *RET the path of the entry NAME of DIRECTORY; if there is none, of one that differs only in upper and lower
   case; or NULL.  The caller frees it.  DIRECTORY may be "", which is the current one.  False: no memory. */
bool entry_find(const char *directory, const char *name, char **ret);

/* Returns what ENTRY, whose path is PATH, is.  Makes no system call where the directory itself tells.  A symbolic link
   to a file is a file; one to a directory is ENTRY_OTHER, because it may lead back up. */
enum entry entry_kind(const struct dirent *entry, const char *path);

#endif
