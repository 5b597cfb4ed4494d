// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "search/entry.h"
#include "lib/base/alloc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "compat/compat.h"

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

enum entry rs_entry_kind(const struct dirent *entry, const char *path)
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
