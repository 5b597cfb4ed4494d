/* SPDX-License-Identifier: GPL-2.0-or-later */
/* io.h - pread, read, write and lstat for Windows; to be included by compat.h, io.c and pread.c only */
#ifndef ROSSYM_COMPAT_IO_H
#define ROSSYM_COMPAT_IO_H

#ifdef HAVE_CONFIG_H
#include <config.h> /* it can change off_t */
#endif

#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* As pread() of POSIX: read up to SIZE bytes at offset AT of FD, and leave FD's position unchanged.  Returns the number
   of bytes; or -1, with the reason in errno. */
ssize_t rs_pread(int fd, void *to, size_t size, off_t at);

/* As read() and write() of POSIX; they may transfer fewer bytes than SIZE. */
ssize_t rs_read(int fd, void *to, size_t size);
ssize_t rs_write(int fd, const void *from, size_t size);

/* As stat(); but for a link to a directory, st_mode is neither that of a directory nor that of a regular file. */
int rs_lstat(const char *path, struct stat *st);

#endif
