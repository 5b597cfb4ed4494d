// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/entry.h"
#include "lib/base/alloc.h"

#include <errno.h>
#include <string.h>

#ifdef _WIN32
static const char separators[] = "/\\:";
#else
static const char separators[] = "/";
#endif

const struct dirent *rs_entry_next(DIR *directory)
{
	const struct dirent *entry;
	/* At the end readdir() returns NULL and does not change errno; after an error it sets errno. */
	do {
		errno = 0;
		entry = readdir(directory);
	} while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	return entry;
}

char *rs_entry_path(const char *directory, const char *name)
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
