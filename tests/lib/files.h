/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files.h - whole files, read and written; what is printed on standard error */
#ifndef TESTS_FILES_H
#define TESTS_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

/* Write a file, or end the program. */
static inline void files_write(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		printf("Bail out! %s: cannot be written\n", path);
		exit(99);
	}
}

/* The same in the directory that the environment variable VARIABLE names, if there is one: for other programs.  Without a NAME
   files are numbered. */
static inline void files_keep(const char *variable, const char *name, const void *bytes, size_t size)
{
	static unsigned number;
	const char *directory = getenv(variable);
	char path[4096];
	if (!directory || !*directory)
		return;
	if (name)
		snprintf(path, sizeof path, "%s/%s", directory, name);
	else
		snprintf(path, sizeof path, "%s/%03u", directory, number++);
	files_write(path, bytes, size);
}

/* The file that standard error goes to after files_catch_errors(). */
static inline FILE **files_errors(void)
{
	static FILE *file;
	return &file;
}

/* From now on, files_caught() has what is printed on standard error.  Returns false if that is not possible. */
static inline bool files_catch_errors(void)
{
	FILE **file = files_errors();
	*file = tmpfile();
	return *file && dup2(fileno(*file), STDERR_FILENO) >= 0;
}

/* What has been printed on standard error since the last call. */
static inline const char *files_caught(void)
{
	static char text[8192];
	FILE *file = *files_errors();
	fflush(stderr);
	rewind(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	rewind(file);
	if (ftruncate(fileno(file), 0) != 0)
		files_fail("standard error");
	return text;
}

#ifndef _WIN32
/* Make a new directory the current one.  Returns its path, until the next call; NULL if that is not possible. */
static inline const char *files_enter_directory(void)
{
	static char path[4096];
	const char *base = getenv("TMPDIR");
	snprintf(path, sizeof path, "%s/rossym-unit.XXXXXX", base && *base ? base : "/tmp");
	return mkdtemp(path) && chdir(path) == 0 ? path : NULL;
}

/* Remove that directory and all that is in it. */
static inline bool files_leave_directory(const char *path)
{
	return chdir(path) == 0 && system("rm -rf ./*") == 0 && chdir("/") == 0 && rmdir(path) == 0;
}
#endif

#endif
