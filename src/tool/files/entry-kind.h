/* SPDX-License-Identifier: GPL-2.0-or-later */
/* entry-kind.h - whether the entry of a directory is a file */
#ifndef TOOL_FILES_ENTRY_KIND_H
#define TOOL_FILES_ENTRY_KIND_H

#include <dirent.h>

enum entry { ENTRY_OTHER, ENTRY_FILE, ENTRY_DIRECTORY };

/* Returns whether ENTRY, whose path is PATH, is a file, a directory or something else.  Makes no system call if
   readdir() has returned the type (d_type).  A symbolic link to a file is a file; one to a directory is ENTRY_OTHER,
   because it may lead to a directory above. */
enum entry entry_kind(const struct dirent *entry, const char *path);

#endif
