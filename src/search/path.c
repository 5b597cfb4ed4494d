// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/path.h"
#include "lib/base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <windows.h>
#endif

#ifdef _WIN32
static const char separators[] = "/\\:";
#else
static const char separators[] = "/";
#endif

const char *rs_path_base(const char *path)
{
	const char *base = path;
	for (; *path; path++)
		if (strchr(separators, *path))
			base = path + 1;
	return base;
}

#ifdef _WIN32

/* Store in *RET what identifies the file at PATH.  stat() cannot be used for this: on Windows it sets st_ino to 0. */
static bool get_identity(const char *path, BY_HANDLE_FILE_INFORMATION *ret)
{
	HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
				  FILE_FLAG_BACKUP_SEMANTICS, NULL);
	if (file == INVALID_HANDLE_VALUE)
		return false;
	bool good = GetFileInformationByHandle(file, ret);
	CloseHandle(file);
	return good;
}

bool rs_paths_name_same_file(const char *a, const char *b)
{
	BY_HANDLE_FILE_INFORMATION x, y;
	return strcmp(a, b) == 0 ||
	       (get_identity(a, &x) && get_identity(b, &y) && x.dwVolumeSerialNumber == y.dwVolumeSerialNumber &&
		x.nFileIndexHigh == y.nFileIndexHigh && x.nFileIndexLow == y.nFileIndexLow);
}

#else

bool rs_paths_name_same_file(const char *a, const char *b)
{
	struct stat x, y;
	return strcmp(a, b) == 0 ||
	       (stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

#endif

/* ------------------------------------------------------------------------------------------------ entries */

const struct dirent *rs_entry_read_next(DIR *directory)
{
	const struct dirent *entry;
	/* At the end readdir() returns NULL and does not change errno; after an error it sets errno. */
	do {
		errno = 0;
		entry = readdir(directory);
	} while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	return entry;
}

char *rs_entry_make_path(const char *directory, const char *name)
{
	size_t a = strlen(directory), b = strlen(name);
	char *path = rs_alloc(a + b + 2, 1);
	if (!path)
		return NULL;
	memcpy(path, directory, a);
	if (a > 0 && !strchr(separators, directory[a - 1]))
		path[a++] = '/';
	memcpy(path + a, name, b + 1);
	return path;
}
