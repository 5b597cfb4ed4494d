/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replace.h - what file.c needs to put one file in another's place: replace-posix.c or replace-windows.c */
#ifndef TOOL_FILES_REPLACE_H
#define TOOL_FILES_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Whether A and B exist and are the same file. */
bool replace_is_same(const char *a, const char *b);

/* Write SIZE bytes to a temporary file in the directory of PATH, or of what PATH links to, and let it take the place of
   the regular file there.  It gets MODE if there is none, else what inherit.h says.  False with errno. */
bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode);

/* As replace_file(), but replace nothing: if a file has the name PATH, or gets it meanwhile, return false
   with EEXIST. */
bool replace_nothing(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
