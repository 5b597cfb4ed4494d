// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/entry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "compat/compat.h"

#ifdef _WIN32
static const char separators[] = "/\\:";
#else
static const char separators[] = "/";
#endif

const struct dirent *entry_next(DIR *directory)
{
	const struct dirent *entry;
	/* At the end readdir() returns NULL and does not change errno; after an error it sets errno. */
	do {
		errno = 0;
		entry = readdir(directory);
	} while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
	return entry;
}

char *entry_path(const char *directory, const char *name)
{
	size_t a = strlen(directory), b = strlen(name);
	char *path = malloc(a + b + 2);
	if (!path)
		return NULL;
	memcpy(path, directory, a);
	if (a > 0 && !strchr(separators, directory[a - 1]))
		path[a++] = '/';
	memcpy(path + a, name, b + 1);
	return path;
}

/* How many entries of a directory find_alike() compares, at most. */
enum { ENTRIES_MAX = 50000 };

/* Store in *RET a copy of the name in the directory OPEN that differs from NAME only in case.  Of several names take
   the first in byte order, so that the result does not depend on the order of the directory.  False: no memory. */
static bool find_alike(DIR *open, const char *name, char **ret)
{
	const struct dirent *entry;
	for (int i = 0; i < ENTRIES_MAX && (entry = entry_next(open)) != NULL; i++) {
		if (strcasecmp(entry->d_name, name) != 0 || (*ret && strcmp(entry->d_name, *ret) >= 0))
			continue;
		free(*ret);
		*ret = strdup(entry->d_name);
		if (!*ret)
			return false;
	}
	return true;
}

bool entry_find(const char *directory, const char *name, char **ret)
{
	struct stat st;
	char *alike = NULL;
	*ret = entry_path(directory, name);
	if (!*ret || stat(*ret, &st) == 0)
		return *ret != NULL;
	free(*ret);
	*ret = NULL;
	DIR *open = opendir(directory[0] ? directory : ".");
	bool good = !open || find_alike(open, name, &alike);
	if (open)
		closedir(open);
	if (alike)
		good = (*ret = entry_path(directory, alike)) != NULL;
	free(alike);
	return good;
}

enum entry entry_kind(const struct dirent *entry, const char *path)
{
	struct stat st;
#ifdef HAVE_STRUCT_DIRENT_D_TYPE
	if (entry->d_type == DT_REG)
		return ENTRY_FILE;
	if (entry->d_type == DT_DIR)
		return ENTRY_DIRECTORY;
	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return ENTRY_OTHER;
#else
	(void)entry;
#endif
	/* lstat() first, because a link to a directory is ENTRY_OTHER. */
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ENTRY_DIRECTORY;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? ENTRY_FILE : ENTRY_OTHER;
}
