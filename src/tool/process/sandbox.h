/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - give up rights that a program no longer needs, before it looks at bytes from strangers
 *
 * Linux has seccomp, for processors that this file knows, and Landlock.  On other systems, with older kernels, and in a
 * build with --disable-sandbox, nothing is given up, without a message.  Afterwards, a system call that was given up
 * fails with EPERM or EACCES.  None of this can be undone.
 */
#ifndef TOOL_PROCESS_SANDBOX_H
#define TOOL_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* For a program that has opened all its files: from here on it may read, write and allocate, and start threads
   if THREADS. */
void sandbox_reader(bool threads);

/* For a program that opens files as it needs them: as a reader, and it may open files for reading.  It may also make
   pipes, and send descriptors through the socket SERVER, which is -1 if there is none (forkserver.h). */
void sandbox_searcher(int server);

/* For a process that only forks children (forkserver.h). */
void sandbox_forkserver(void);

/* For a child that computes something of INPUT bytes and writes the result to a pipe: less than a reader, with limits
   of time and memory that no honest input reaches. */
void sandbox_child(size_t input);

/* For a child that reads an open file at any place and writes what is in it to a pipe: as sandbox_child(), but without
   a limit of time, because one that waits for questions may live for days. */
void sandbox_unpacker(void);

/* The limit of time of sandbox_child(), in seconds of CPU time. */
static inline unsigned long sandbox_child_seconds(size_t input)
{
	return 10 + (unsigned long)(input >> 20);
}

/* For a program that writes, and may fork children: it may open only the COUNT files READ (NULLs are ignored), and
   files in the directory of OUTPUT, and change rights, owners and attributes of open files only.  OUTPUT may be NULL:
   it writes only to what is open. */
void sandbox_writer(const char *const *read, size_t count, const char *output);

/* For a program that adds files to a tree: as sandbox_writer(), but it may fork no children, and it may write files
   and make directories below DIRECTORY. */
void sandbox_adder(const char *const *read, size_t count, const char *directory);

#endif
