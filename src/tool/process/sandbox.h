/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sandbox.h - drops privileges that a program no longer needs, before it reads untrusted data
 *
 * On Linux this uses Landlock, and on x86-64 and AArch64 also seccomp.  On other systems, with older kernels, and in a
 * build with --disable-sandbox, a program keeps its privileges, without a message.  A system call that is no longer
 * allowed fails with EPERM or EACCES.  Dropped privileges never come back.
 */
#ifndef TOOL_PROCESS_SANDBOX_H
#define TOOL_PROCESS_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Restrict a program that has opened all its files: it may read and write open files and allocate memory, and, if
   THREADS is true, start threads.  If sandbox_limits_paths() is true, it may also open files for reading below the
   COUNT DIRECTORIES; else it may open none, because without Landlock it could open any file. */
void sandbox_restrict_reader(bool threads, const char *const *directories, size_t count);
bool sandbox_limits_paths(void);

/* Restrict a program that opens files as it needs them: it may do what sandbox_restrict_reader() allows, and open
   files for reading.  It may also make pipes, and send descriptors through the socket SERVER (worker.h; -1: none). */
void sandbox_restrict_searcher(int server);

/* Restrict a process that only forks children (worker.h). */
void sandbox_restrict_forkserver(void);

/* Restrict a child that computes a result from INPUT bytes and writes it to a pipe: it may do less than a reader, and
   has limits of CPU time and memory that no honest input reaches.  If READS_FILES is true, it may also read open files
   at any offset, and get their sizes. */
void sandbox_restrict_child(size_t input, bool reads_files);

/* Restrict a child that reads an open file at any offset and writes results to a pipe: as sandbox_restrict_child(), but
   without a limit of CPU time, because a child that waits for questions may live for days. */
void sandbox_restrict_unpacker(void);

/* Returns the limit that sandbox_restrict_child() sets for INPUT bytes, in seconds of CPU time. */
static inline unsigned long sandbox_child_seconds(size_t input)
{
	return 10 + (unsigned long)(input >> 20);
}

/* Restrict a program that writes a file and may fork children: of files, it may open only the COUNT paths at READ, of
   which some may be NULL, and those in the directory of OUTPUT; if OUTPUT is NULL, it may open no file for writing.  It
   may change mode, owner and attributes only of open files. */
void sandbox_restrict_writer(const char *const *read, size_t count, const char *output);

/* Restrict a program that adds files to a directory tree: as sandbox_restrict_writer(), but it may not fork.  It may
   write files and make directories below DIRECTORY. */
void sandbox_restrict_adder(const char *const *read, size_t count, const char *directory);

#endif
