// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/wait.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>
#ifdef HAVE_POLL_H
#include <poll.h>
#endif
#ifdef _WIN32
#include <windows.h>
#include <io.h>
#endif

#include "compat/compat.h"

int wait_for_descriptor(int fd, enum wait_direction direction, int ms)
{
#ifdef HAVE_POLL_H
	struct pollfd p = { fd, direction == WAIT_TO_READ ? POLLIN : POLLOUT, 0 };
	return poll(&p, 1, ms);
#elif defined _WIN32
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	DWORD there = 0;
	const DWORD type = GetFileType(file);
	if (direction == WAIT_TO_WRITE || type == FILE_TYPE_DISK)
		return 1;
	if (type == FILE_TYPE_PIPE && !PeekNamedPipe(file, NULL, 0, NULL, &there, NULL)) {
		if (GetLastError() == ERROR_BROKEN_PIPE) /* the other end is closed, so a read returns at once */
			return 1;
		errno = EINVAL; /* Wine cannot tell what is in a pipe that Linux has made */
		return -1;
	}
	if (there > 0)
		return 1;
	if (ms) /* Windows cannot wait for a pipe, so the caller polls */
		Sleep(1);
	return 0;
#else
	(void)fd, (void)direction, (void)ms;
	return 0;
#endif
}

bool wait_is_ready(int fd)
{
	return wait_for_descriptor(fd, WAIT_TO_READ, 0) > 0;
}

uint64_t wait_clock_milliseconds(void)
{
#ifdef _WIN32
	return GetTickCount64();
#else
	struct timespec now = { 0, 0 };
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
#endif
}

/* Whether to repeat a read() or write() on FD, which has failed with the reason in errno.  If FD was not ready, waits
   until it is. */
static bool wait_to_repeat(int fd, enum wait_direction direction)
{
	if (errno == EAGAIN || errno == EWOULDBLOCK)
		return wait_for_descriptor(fd, direction, -1) > 0 || errno == EINTR;
	return errno == EINTR;
}

ssize_t wait_read(int fd, void *bytes, size_t size)
{
	ssize_t n;
	do
		n = read(fd, bytes, size);
	while (n < 0 && wait_to_repeat(fd, WAIT_TO_READ));
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
	enum { PART_MAX = 1 << 26 }; /* some systems refuse to write 2 GiB at once */
	const char *from = bytes;
	while (size > 0) {
		ssize_t n = write(fd, from, size < PART_MAX ? size : PART_MAX);
		if (n >= 0) {
			from += n;
			size -= (size_t)n;
		} else if (!wait_to_repeat(fd, WAIT_TO_WRITE)) {
			return false;
		}
	}
	return true;
}
