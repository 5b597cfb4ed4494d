// SPDX-License-Identifier: GPL-2.0-or-later
/* write.c - write for Windows, whose own takes an unsigned size, and reports EINVAL for a pipe that no process reads */
#include "io.h"

#ifdef _WIN32

#include <errno.h>
#include <windows.h>
#include <io.h>

ssize_t rs_write(int fd, const void *from, size_t size)
{
	/* Consoles of older Windows versions refuse more than 64 KiB at once. */
	enum { CONSOLE_PART_MAX = 32768, FILE_PART_MAX = 0x4000000 };
	unsigned most = _isatty(fd) ? CONSOLE_PART_MAX : FILE_PART_MAX;
	int done = _write(fd, from, size < most ? (unsigned)size : most);
	if (done < 0 && errno == EINVAL &&
	    (_doserrno == ERROR_NO_DATA || _doserrno == ERROR_BROKEN_PIPE || _doserrno == ERROR_PIPE_NOT_CONNECTED))
		errno = EPIPE;
	return done;
}

#endif
