/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replace.h - puts a complete file in place, for file.c; implemented in replace-posix.c and replace-windows.c */
#ifndef TOOL_FILES_REPLACE_H
#define TOOL_FILES_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Write SIZE bytes to a temporary file in the directory of PATH, or of the file that PATH links to, and rename it over
   the regular file there.  If there is none, the new file gets MODE; else it inherits owner and permissions
   (replace-posix.c).  NEW: if PATH exists, or another program makes it meanwhile, fail with EEXIST; on a file system
   without hard links, a file that is made just before the renaming is replaced.  False: an error, in errno. */
bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode, bool new);

#endif
