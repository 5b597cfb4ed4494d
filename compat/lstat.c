// SPDX-License-Identifier: GPL-2.0-or-later
/* lstat.c - lstat for Windows, as far as we need it: a link to a directory, or a junction, is not a directory */
#include "compat.h"

#ifdef _WIN32

#include <windows.h>

/* the bit of a reparse tag that means a link; other tags are compression and the like */
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
	/* Under Wine links have no tag. */
	return data.dwReserved0 == 0 || (data.dwReserved0 & NAME_SURROGATE);
}

int rs_lstat(const char *path, struct stat *st)
{
	if (stat(path, st) < 0)
		return -1;
	/* Windows has no S_IFLNK; the caller skips what is neither file nor directory */
	if (S_ISDIR(st->st_mode) && is_link(path))
		st->st_mode = S_IFCHR;
	return 0;
}

#endif
