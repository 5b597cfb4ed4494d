/* SPDX-License-Identifier: GPL-2.0-or-later */
/* dirent.h - the entries of a directory, as in POSIX */
#ifndef ROSSYM_MSVC_DIRENT_H
#define ROSSYM_MSVC_DIRENT_H

#include <io.h>
#include <stdlib.h>

struct dirent {
	char d_name[_MAX_PATH];
};

typedef struct directory DIR;

DIR *opendir(const char *path);
struct dirent *readdir(DIR *directory);
int closedir(DIR *directory);

#endif
