// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pread.c - pread for Windows
 *
 * rs_pread() moves the file position and restores it.  Each read has its own offset, so several threads may read one
 * descriptor if none of them relies on the file position.
 */
#include "io.h"

#ifdef _WIN32

#include <errno.h>
#include <windows.h>
#include <io.h>

ssize_t rs_pread(int fd, void *to, size_t size, off_t at)
{
	HANDLE file = (HANDLE)_get_osfhandle(fd);
	LARGE_INTEGER none = { .QuadPart = 0 }, before;
	OVERLAPPED where = { 0 };
	DWORD got = 0;

	if (file == INVALID_HANDLE_VALUE) {
		errno = EBADF;
		return -1;
	}
	if (at < 0) {
		errno = EINVAL;
		return -1;
	}
	if (!SetFilePointerEx(file, none, &before, FILE_CURRENT)) {
		errno = ESPIPE;
		return -1;
	}
	where.Offset = (DWORD)((unsigned long long)at & 0xffffffff);
	where.OffsetHigh = (DWORD)((unsigned long long)at >> 32);
	/* pread may read less than SIZE, and the result must fit into a ssize_t of 32 bits. */
	BOOL good = ReadFile(file, to, (DWORD)(size < 0x40000000 ? size : 0x40000000), &got, &where);
	DWORD error = good ? ERROR_SUCCESS : GetLastError();
	/* ReadFile moves the position of a handle that was not opened for overlapped use. */
	SetFilePointerEx(file, before, NULL, FILE_BEGIN);
	if (good || error == ERROR_HANDLE_EOF)
		return (ssize_t)got;
	errno = error == ERROR_ACCESS_DENIED ? EBADF : EIO;
	return -1;
}

#endif
