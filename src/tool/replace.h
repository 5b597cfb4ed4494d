/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replace.h - what file.c needs to put one file in another's place: replace-posix.c or replace-windows.c */
#ifndef TOOL_REPLACE_H
#define TOOL_REPLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Whether both are there and one file. */
bool replace_is_same(const char *a, const char *b);

/* Write SIZE bytes beside PATH, and put that in the place of PATH, which is a regular file that has OLD, or, when that
   is NULL, not there.  False and errno. */
bool replace_file(const char *path, const void *bytes, size_t size, mode_t mode, const struct stat *old);

#endif
