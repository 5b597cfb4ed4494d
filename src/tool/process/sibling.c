// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/process/sibling.h"
#include "tool/diag.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_LENGTH_MAX = 4096 };

/* Store the path of the running program in PROGRAM; its argv[0] where the system does not tell the path. */
static void find_this_program(char program[PATH_LENGTH_MAX])
{
#ifdef __linux__
	ssize_t length = readlink("/proc/self/exe", program, PATH_LENGTH_MAX - 1);
	if (length > 0) {
		program[length] = '\0';
		return;
	}
#endif
	snprintf(program, PATH_LENGTH_MAX, "%s", diag_program());
}

char *sibling_self(void)
{
	char program[PATH_LENGTH_MAX];
	find_this_program(program);
	return strdup(program);
}

char *sibling_find(const char *name, const char *installed)
{
	char program[PATH_LENGTH_MAX];
	find_this_program(program);
	const char *slash = strrchr(program, '/');
	size_t directory = slash ? (size_t)(slash - program) + 1 : 0;
	size_t size = directory + strlen(name) + strlen(installed) + 1;
	char *path = malloc(size);
	if (!path)
		return NULL;
	snprintf(path, size, "%.*s%s", (int)directory, program, name);
	if (slash && access(path, X_OK) == 0)
		return path;
	snprintf(path, size, "%s", installed);
	if (access(path, X_OK) == 0)
		return path;
	free(path);
	return NULL;
}
