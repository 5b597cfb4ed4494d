// SPDX-License-Identifier: GPL-2.0-or-later
/* lstat.c - lstat for Windows, as far as we need it: a link to a directory, or a junction, is not a directory */
#include "compat.h"

#ifdef _WIN32

#include <windows.h>

/* The bit of a reparse tag that means a link.  Files with other tags are compressed, stored elsewhere and so on. */
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
	/* Wine reports links without a tag. */
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
