// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "msvc/dirent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct directory {
	intptr_t search;
	struct __finddata64_t found;
	int has_found; /* FOUND has not been read yet */
	struct dirent entry;
};

DIR *opendir(const char *path)
{
	DIR *directory = calloc(1, sizeof *directory);
	const size_t size = strlen(path) + sizeof "/*";
	char *pattern = malloc(size);
	if (directory && pattern) {
		snprintf(pattern, size, "%s/*", path);
		directory->search = _findfirst64(pattern, &directory->found);
		directory->has_found = directory->search != -1;
	}
	const int good = directory && directory->has_found;
	const int number = directory && pattern ? errno : ENOMEM;
	free(pattern);
	if (good)
		return directory;
	free(directory);
	errno = number;
	return NULL;
}

struct dirent *readdir(DIR *directory)
{
	const int number = errno;
	if (!directory->has_found && _findnext64(directory->search, &directory->found) != 0) {
		if (errno == ENOENT)
			errno = number; /* the end is no error */
		return NULL;
	}
	directory->has_found = 0;
	snprintf(directory->entry.d_name, sizeof directory->entry.d_name, "%s", directory->found.name);
	return &directory->entry;
}

int closedir(DIR *directory)
{
	const int ret = _findclose(directory->search);
	free(directory);
	return ret;
}
