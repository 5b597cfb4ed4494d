/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To be used by compat.h and the files it speaks of only. */
#ifndef ROSSYM_COMPAT_IO_H
#define ROSSYM_COMPAT_IO_H

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* As POSIX's read and write, with a size_t; maybe less than asked for. */
ssize_t rs_read(int fd, void *to, size_t size);
ssize_t rs_write(int fd, const void *from, size_t size);

int rs_lstat(const char *path, struct stat *st);

#endif
