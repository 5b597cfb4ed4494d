// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#ifdef HAVE_POLL_H
#include <poll.h>
#endif
#ifdef _WIN32
#include <windows.h>
#include <io.h>
#endif

#include "compat/compat.h"

enum direction { READ, WRITE };

/* Whether to repeat the call on FD that has just set errno; waits until FD is ready for it. */
static bool is_to_repeat(int fd, enum direction direction)
{
	if (errno == EINTR)
		return true;
#ifdef HAVE_POLL_H
	if (errno == EAGAIN || errno == EWOULDBLOCK) {
		struct pollfd p = { fd, direction == READ ? POLLIN : POLLOUT, 0 };
		return poll(&p, 1, -1) >= 0 || errno == EINTR;
	}
#else
	(void)fd;
	(void)direction;
#endif
	return false;
}

ssize_t wait_read(int fd, void *bytes, size_t size)
{
	ssize_t n;
	do
		n = read(fd, bytes, size);
	while (n < 0 && is_to_repeat(fd, READ));
	return n;
}

ssize_t wait_read_all(int fd, void *bytes, size_t size)
{
	char *to = bytes;
	size_t done = 0;
	ssize_t n = 1;
	while (done < size && n > 0) {
		n = wait_read(fd, to + done, size - done);
		done += n > 0 ? (size_t)n : 0;
	}
	return n < 0 ? -1 : (ssize_t)done;
}

bool wait_write(int fd, const void *bytes, size_t size)
{
	enum { MOST = 1 << 26 }; /* some systems refuse to write 2 GiB at once */
	const char *from = bytes;
	while (size > 0) {
		ssize_t n = write(fd, from, size < MOST ? size : MOST);
		if (n >= 0) {
			from += n;
			size -= (size_t)n;
		} else if (!is_to_repeat(fd, WRITE)) {
			return false;
		}
	}
	return true;
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
		return PeekNamedPipe(file, NULL, 0, NULL, &there, NULL) ? there > 0
									: GetLastError() == ERROR_BROKEN_PIPE;
	default:
		return false;
	}
#else
	(void)fd;
	return false;
#endif
}

void wait_widen(int fd)
{
#ifdef F_SETPIPE_SZ
	enum { WIDE = 1 << 18 };
	int error = errno;
	if (fcntl(fd, F_GETPIPE_SZ) < WIDE)
		(void)!fcntl(fd, F_SETPIPE_SZ, WIDE);
	errno = error;
#else
	(void)fd;
#endif
}
