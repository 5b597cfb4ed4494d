// SPDX-License-Identifier: GPL-2.0-or-later
/* lstat for Windows, as far as it is needed: a link to a directory, or a junction, is no directory. */
#include "compat.h"

#ifdef _WIN32

#include <windows.h>

enum { NAME_SURROGATE = 0x20000000 };	/* in a tag: the file stands for another one, and is not just kept elsewhere */

static int is_link(const char *path)
{
	WIN32_FIND_DATAA data;
	HANDLE search = FindFirstFileA(path, &data);
	if (search == INVALID_HANDLE_VALUE)
		return 0;
	FindClose(search);
	if (!(data.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
		return 0;
	/* Wine gives links no tag. */
	return data.dwReserved0 == 0 || (data.dwReserved0 & NAME_SURROGATE);
}

int rs_lstat(const char *path, struct stat *st)
{
	if (stat(path, st) < 0)
		return -1;
	if (S_ISDIR(st->st_mode) && is_link(path))
		st->st_mode = S_IFCHR;	/* there is no S_IFLNK: anything that is neither file nor directory */
	return 0;
}

#endif
