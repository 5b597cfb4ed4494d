// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/wait.h"

#include <errno.h>
#ifdef HAVE_POLL_H
#include <poll.h>
#endif
#ifdef _WIN32
#include <windows.h>
#include <io.h>
#endif

bool wait_again(int fd, enum wait_for what)
{
	if (errno == EINTR)
		return true;
#ifdef HAVE_POLL_H
	if (errno == EAGAIN || errno == EWOULDBLOCK) {
		struct pollfd p = { fd, what == WAIT_READ ? POLLIN : POLLOUT, 0 };
		return poll(&p, 1, -1) >= 0 || errno == EINTR;
	}
#else
	(void)fd;
	(void)what;
#endif
	return false;
}

bool wait_is_ready(int fd)
{
#ifdef HAVE_POLL_H
	struct pollfd p = { fd, POLLIN, 0 };
	return poll(&p, 1, 0) > 0;
#elif defined _WIN32
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	DWORD there = 0;
	switch (GetFileType(file)) {
	case FILE_TYPE_DISK:
		return true;
	case FILE_TYPE_PIPE:
		/* The end can be read at once, too. */
		return PeekNamedPipe(file, NULL, 0, NULL, &there, NULL) ? there > 0 : GetLastError() == ERROR_BROKEN_PIPE;
	default:
		return false;
	}
#else
	(void)fd;
	return false;
#endif
}
