// SPDX-License-Identifier: GPL-2.0-or-later
/* read.c - read for Windows, whose own takes an unsigned size */
#include "io.h"

#ifdef _WIN32

#include <io.h>

ssize_t rs_read(int fd, void *to, size_t size)
{
	enum { PART_MAX = 0x40000000 }; /* _read returns an int */
	return _read(fd, to, size < PART_MAX ? (unsigned)size : PART_MAX);
}

#endif
