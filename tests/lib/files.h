/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.h - whole files in memory */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn static inline void files_fail(const char *path)
{
	fprintf(stderr, "%s: cannot be read\n", path);
	exit(99);
}

/* The bytes of a file, to be freed; not a byte more. */
static inline uint8_t *files_read(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0)
		files_fail(path);
	*size = (size_t)ftell(file);
	rewind(file);
	uint8_t *bytes = malloc(*size ? *size : 1);
	if (!bytes || fread(bytes, 1, *size, file) != *size)
		files_fail(path);
	fclose(file);
	return bytes;
}

/* The same of the file NAME of tests/data. */
static inline uint8_t *files_data(const char *name, size_t *size)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];
	snprintf(path, sizeof path, "%s/tests/data/%s", srcdir ? srcdir : ".", name);
	return files_read(path, size);
}

#endif
