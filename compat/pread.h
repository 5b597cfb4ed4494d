/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pread.h - pread for hosts without it; to be included by compat.h and pread.c only */
#ifndef ROSSYM_COMPAT_PREAD_H
#define ROSSYM_COMPAT_PREAD_H

#ifdef HAVE_CONFIG_H
#include <config.h> /* it can change off_t */
#endif

#include <stddef.h>
#include <sys/types.h>

/* As pread() of POSIX: read up to SIZE bytes at offset AT of FD, whose position stays.  Returns the number of bytes, or
   -1 and errno. */
ssize_t rs_pread(int fd, void *to, size_t size, off_t at);

#endif
