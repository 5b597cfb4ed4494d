/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - giving up what a program does not need any more before it looks at bytes that others made
 *
 * What can be given up depends on the host: on Linux seccomp where the processor is known, else Landlock; elsewhere, in an
 * older kernel, or in a build with --disable-sandbox, nothing, silently.  A call that was given up fails with EPERM or
 * EACCES.  None of this can be undone.
 */
#ifndef TOOL_SANDBOX_H
#define TOOL_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* All files are open: from here on read, write and allocate; start threads if THREADS. */
void sandbox_reader(bool threads);

/* What is looked for in directories is opened as it is needed: from here on open files for reading only, besides what
   a reader may. */
void sandbox_searcher(void);

/* A child that computes something of INPUT bytes and writes the result to a pipe: less than a reader may, and limits of
   time and memory that leave room for anything honest. */
void sandbox_child(size_t input);

/* The limit of time: seconds of work. */
static inline unsigned long sandbox_child_seconds(size_t input)
{
	return 10 + (unsigned long)(input >> 20);
}

/* Open only the COUNT files READ (NULLs are passed over), and files in the directory where OUTPUT is. */
void sandbox_writer(const char *const *read, size_t count, const char *output);

#endif
