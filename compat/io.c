// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * io.c - read, write and lstat for Windows
 *
 * The read and write of Windows take an unsigned size, and its write reports EINVAL for a pipe that no process reads.
 * Windows has no lstat; ours reports only what we need: that a link to a directory, or a junction, is not a directory.
 */
#include "io.h"

#ifdef _WIN32

#include <errno.h>
#include <windows.h>
#include <io.h>

ssize_t rs_read(int fd, void *to, size_t size)
{
	enum { PART_MAX = 0x40000000 }; /* _read returns an int, so it cannot read more at once */
	return _read(fd, to, size < PART_MAX ? (unsigned)size : PART_MAX);
}

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

/* The bit of a reparse tag that marks links.  Tags of compressed files, for example, lack it. */
enum { NAME_SURROGATE = 0x20000000 };

static int is_link(const char *path)
{
	WIN32_FIND_DATAA data;
	HANDLE search = FindFirstFileA(path, &data);
	if (search == INVALID_HANDLE_VALUE)
		return 0;
	FindClose(search);
	if (!(data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
		return 0;
	/* Wine reports the tag 0 for links. */
	return data.dwReserved0 == 0 || (data.dwReserved0 & NAME_SURROGATE);
}

int rs_lstat(const char *path, struct stat *st)
{
	if (stat(path, st) < 0)
		return -1;
	/* Windows has no S_IFLNK.  S_IFCHR is neither a directory nor a regular file, so callers skip it. */
	if (S_ISDIR(st->st_mode) && is_link(path))
		st->st_mode = S_IFCHR;
	return 0;
}

#endif
