/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - a whole file: read into memory, or written so that it is there whole or not at all
 *
 * What is written goes into a temporary file in the same directory, is brought to the disk, and takes the place of the
 * old file in one step.  Whatever happens before, an error, a signal, the machine going down, leaves the old
 * file as it was.  The temporary one stays only when nobody could remove it: after SIGKILL, or in the last case.
 */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct file {
	uint8_t *bytes;
	size_t size;
	struct stat st;
};

/* Read the regular file PATH, which has less than 4 GiB.  False after a message.  free() the bytes. */
bool file_read(const char *path, struct file *file);

/* Read PATH, or standard input if it is "-", as text of at most 1 GiB: a NUL stands after its last byte. */
bool file_read_text(const char *path, struct file *file);

/* Whether A and B are the same file, by whatever names. */
bool file_is_same(const char *a, const char *b);

/*
 * Write SIZE bytes as PATH.  A new file gets the permissions of MODE that the umask allows; one that is there stays what it
 * is (inherit.h).  A symbolic link stays, and what it points to is written.
 * What is no regular file, such as /dev/null, is written to.  False after a message.
 */
bool file_write(const char *path, const void *bytes, size_t size, mode_t mode);

#endif
