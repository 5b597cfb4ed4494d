/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - reads a whole file into memory; writes a file atomically; returns the kind of an entry of a directory
 *
 * Writing makes a temporary file in the same directory, forces it to the disk, and renames it over the old file.  After
 * an error, a signal or a crash of the machine, there is the complete old file or the complete new one, never a part of
 * one.  SIGKILL leaves a temporary file that has a name.  Where the system has files without a name (O_TMPFILE), the
 * temporary file has a name only for a moment, before it is renamed.
 */
#ifndef TOOL_FILES_FILE_H
#define TOOL_FILES_FILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct file_content {
	uint8_t *bytes; /* from malloc(), with a NUL after the last byte */
	size_t size;
	struct stat st; /* what fstat() returned when the file was opened */
};

/* Open PATH for reading, without conversion of line ends.  WAIT: if PATH is a FIFO that no process writes to, wait for
   a writer; else the FIFO is read as empty.  Returns a descriptor; or -1, with the reason in errno.  For a directory on
   Windows, errno is EISDIR. */
int open_file(const char *path, bool wait);

/* Open the regular file PATH for reading.  Returns a descriptor; -1 after a message. */
int file_open_regular(const char *path);

/* Read the regular file PATH of less than 4 GiB.  The caller frees the bytes.  Returns false after a message. */
bool file_read(const char *path, struct file_content *file);

/* Read all of PATH, or of standard input if it is "-", at most 1 GiB, and add a NUL after the last byte.  PATH need
   not be a regular file.  The caller frees the bytes.  Returns false after a message. */
bool file_read_text(const char *path, struct file_content *file);

/*
 * Write SIZE bytes to the file PATH.  A new file gets the permissions MODE, less the umask; a file that exists keeps
 * its owner and permissions (replace-posix.c).  If PATH is a symbolic link to a file, that file is replaced; a link
 * that leads nowhere is itself replaced.  If PATH is a device such as /dev/null, the bytes are written to it.  Returns
 * false after a message.
 */
bool file_write(const char *path, const void *bytes, size_t size, mode_t mode);

/*
 * Make PATH a file with the SIZE bytes at BYTES, without replacing another file.  On a file system without hard links,
 * a file that another program makes at the same moment may be replaced.  *ADDED: false if a file with these bytes is
 * there already, which is no error.  A new file gets permissions as from file_write().  It is an error if PATH is a
 * file with other bytes or a symbolic link.  Returns false after a message.
 */
bool file_add(const char *path, const void *bytes, size_t size, mode_t mode, bool *added);

/* Whether file_add() can succeed: PATH does not exist now, or is a file with the SIZE bytes at BYTES.  Returns false
   after a message. */
bool file_can_add(const char *path, const void *bytes, size_t size);

/* Make the directory PATH in an existing directory, unless it is there.  It is an error if PATH is a symbolic link.
   Returns false after a message. */
bool file_ensure_directory(const char *path);

/* Make the directory PATH and those above it, unless they are there.  They may be symbolic links.  Returns false after
   a message.  If PATH is a file, returns true, because the caller will fail to make anything in PATH. */
bool file_make_directories(const char *path);

enum entry { ENTRY_OTHER, ENTRY_FILE, ENTRY_DIRECTORY };

/* Returns whether ENTRY, whose path is PATH, is a file, a directory or something else.  Makes no system call if
   readdir() has returned the type (d_type).  A symbolic link to a file is a file; one to a directory is ENTRY_OTHER,
   because it may lead to a directory above. */
enum entry entry_kind(const struct dirent *entry, const char *path);

#endif
