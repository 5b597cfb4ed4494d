/* SPDX-License-Identifier: GPL-2.0-or-later */
/* To be used by compat.h and pread.c only. */
#ifndef ROSSYM_COMPAT_PREAD_H
#define ROSSYM_COMPAT_PREAD_H

#include <stddef.h>
#include <sys/types.h>

/* As POSIX's pread: up to SIZE bytes from offset AT of FD, whose position stays; -1 and errno on failure. */
ssize_t rs_pread(int fd, void *to, size_t size, off_t at);

#endif
