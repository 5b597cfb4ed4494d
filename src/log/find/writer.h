/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * writer.h - a process that keeps the right to write one file, while this one gives up its rights
 *
 * It waits for the file's new content and writes it (file.h), and can do nothing else.  On systems without fork() there
 * are no rights to give up, and there is no such process.
 */
#ifndef LOG_FIND_WRITER_H
#define LOG_FIND_WRITER_H

#include <stdbool.h>
#include <stddef.h>

struct writer {
	const char *path;
	int to, from; /* pipes to the process and from it */
};

/* Start the process for the file PATH.  Start other processes before it: they would keep its pipes open.  False after
   a message. */
bool writer_start(struct writer *writer, const char *path);

/* Replace the file by the SIZE bytes at BYTES, unless SIZE is 0, and end the process.  False after a message; then the
   file is unchanged. */
bool writer_end(struct writer *writer, const void *bytes, size_t size);

#endif
