/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * file.h - read a whole file into memory; write a file so that the result is the new file or the old one, never a part
 *
 * The bytes are written to a temporary file in the same directory, forced to the disk, and take the place of the old
 * file in one step.  An error, a signal or a crash of the machine before this step leaves the old file as it was.
 * Where the system has files without a name (O_TMPFILE), SIGKILL leaves nothing of a new file, and the temporary file
 * of one that is replaced only in the moment between its two last steps; elsewhere, the temporary file stays.
 */
#ifndef TOOL_FILES_FILE_H
#define TOOL_FILES_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct file_content {
	uint8_t *bytes;
	size_t size;
	struct stat st;
	/* BYTES are those of the file itself, which is open as FD: see file_map() */
	bool mapped;
	int fd;
};

/* Open PATH for reading, as bytes.  With WAIT, opening a FIFO waits for a writer; else a FIFO without one is empty.
   Returns a descriptor, or -1 with errno: EISDIR on a system where directories cannot be opened. */
int open_file(const char *path, bool wait);

/* Read the regular file PATH of less than 4 GiB.  The caller frees the bytes.  False after a message. */
bool file_read(const char *path, struct file_content *file);

/* As file_read(), but the file is mapped if the system can do that; the caller gives it to file_free().  Mapped bytes
   are in memory when they are looked at, change if another program changes the file, and are gone if it becomes
   shorter, with SIGBUS: only a child may look at them, and this process reads the descriptor. */
bool file_map(const char *path, struct file_content *file);
void file_free(struct file_content *file);

/* Whether another program has written to the file since it was mapped. */
bool file_has_changed(const struct file_content *file);

/* Read at most SIZE bytes from the beginning of the regular file PATH.  Returns how many; 0 also if it cannot
   be read. */
size_t file_read_head(const char *path, void *head, size_t size);

/* Read PATH, or standard input if it is "-", as text of at most 1 GiB, with a NUL after its last byte.  Otherwise
   as file_read(). */
bool file_read_text(const char *path, struct file_content *file);

/* Whether the paths A and B name the same file. */
bool file_is_same(const char *a, const char *b);

/*
 * Write SIZE bytes as PATH.  A new file gets the permissions of MODE that the umask allows; a file that exists keeps
 * its owner and permissions (inherit.h).  If PATH is a symbolic link, the file that it points to is replaced.  A device
 * such as /dev/null is written to.  False after a message.
 */
bool file_write(const char *path, const void *bytes, size_t size, mode_t mode);

/*
 * Make PATH a file with these bytes, without ever replacing another file, even if other programs write at the same
 * time.  *ADDED becomes false if a file with these bytes is there already.  A new file gets permissions as from
 * file_write().  False after a message; also if PATH is any other file, or a symbolic link.
 */
bool file_add(const char *path, const void *bytes, size_t size, mode_t mode, bool *added);

/* Whether file_add() would find no other file at PATH now.  False after a message. */
bool file_can_add(const char *path, const void *bytes, size_t size);

/* Make the directory PATH in a directory that exists, unless it is there.  False after a message, also if PATH is a
   symbolic link. */
bool file_make_directory(const char *path);

/* Make the directory PATH, and those above it, unless they are there.  They may be symbolic links.  False after
   a message. */
bool file_make_directories(const char *path);

#endif
