// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/files/file.h"
#include "tool/array.h"
#include "tool/diag.h"
#include "tool/files/replace.h"
#include "tool/wait.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <windows.h>
#endif

#include "compat/compat.h"

/* --------------------------------------------------------------------------------------- reading a file */

#ifdef _WIN32
static bool is_directory(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}
#endif

int open_file(const char *path, bool wait)
{
	const int flags = O_RDONLY | O_BINARY | O_CLOEXEC | (wait ? 0 : O_NONBLOCK);
	int fd = open(path, flags);
#ifdef _WIN32
	/* On Windows, opening a directory fails with EACCES.  So does opening a file while another program is renaming
	   it to PATH; that is over soon, so try again. */
	for (int tries = 0; fd < 0 && errno == EACCES && tries < 10; tries++) {
		if (is_directory(path)) {
			errno = EISDIR;
			break;
		}
		Sleep(10);
		fd = open(path, flags);
	}
#endif
	return fd;
}

/* Print WHAT, such as "cannot read", for PATH, with the reason in errno.  Returns false. */
static bool print_failure(const char *path, const char *what)
{
	return diag("%s: %s: %s", path, what, strerror(errno));
}

static bool print_too_large(const char *path, uint64_t most)
{
	return diag("%s: larger than %" PRIu64 " MiB; it is not read", path, most >> 20);
}

/* Read FD to its end, at most MOST bytes.  Returns false after a message. */
static bool read_to_end(int fd, const char *path, uint64_t most, struct file_content *file)
{
	if (S_ISREG(file->st.st_mode) && (uint64_t)file->st.st_size > most)
		return print_too_large(path, most);
	/* The buffer has one byte more than the file, so that it need not grow for the last read(), which returns 0.
	   The size of a pipe is not known beforehand, so the buffer may have to grow. */
	size_t room = 0, wanted = S_ISREG(file->st.st_mode) ? (size_t)file->st.st_size + 2 : 4096;
	bool memory = true;
	ssize_t n = 1;
	file->bytes = NULL;
	file->size = 0;
	for (; n > 0 && file->size <= most && memory; wanted = file->size + 2) {
		memory = array_reserve(&file->bytes, &room, wanted, 1);
		if (memory)
			n = wait_read(fd, file->bytes + file->size, room - 1 - file->size);
		file->size += memory && n > 0 ? (size_t)n : 0;
	}
	if (memory && n == 0) {
		file->bytes[file->size] = '\0';
		return true;
	}
	if (!memory)
		diag("%s: out of memory", path);
	else if (n < 0)
		print_failure(path, "cannot read");
	else
		print_too_large(path, most);
	free(file->bytes);
	file->bytes = NULL; /* because the caller may free it again */
	return false;
}

/* The most bytes that are read: of an image, whose offsets have 32 bits, and of a text, such as `--dump' prints. */
static const uint64_t most_bytes = UINT32_MAX - 2, most_text = (uint64_t)1 << 30;

/* Open PATH for reading, and store its fstat() in *ST.  REGULAR: refuse all but regular files; else PATH may be
   anything that can be read, such as a pipe.  Returns the descriptor, or -1 after a message. */
static int open_for_reading(const char *path, bool regular, struct stat *st)
{
	/* Call stat() first, because on Windows and under Landlock, opening a directory fails with EACCES. */
	const bool directory = stat(path, st) == 0 && S_ISDIR(st->st_mode);
	int fd = directory ? -1 : open_file(path, !regular);
	if (directory)
		errno = EISDIR;
	if (fd < 0)
		print_failure(path, directory ? "cannot read" : "cannot open");
	else if (fstat(fd, st) < 0)
		print_failure(path, "cannot read");
	else if (!regular || S_ISREG(st->st_mode))
		return fd;
	else
		diag("%s: cannot read: not a regular file", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

int file_open_regular(const char *path)
{
	struct stat st;
	return open_for_reading(path, true, &st);
}

static bool open_and_read_file(const char *path, bool regular, struct file_content *file)
{
	int fd = open_for_reading(path, regular, &file->st);
	bool good = fd >= 0 && read_to_end(fd, path, regular ? most_bytes : most_text, file);
	if (fd >= 0)
		close(fd);
	return good;
}

bool file_read(const char *path, struct file_content *file)
{
	return open_and_read_file(path, true, file);
}

bool file_read_text(const char *path, struct file_content *file)
{
	if (strcmp(path, "-") != 0)
		return open_and_read_file(path, false, file);
	if (fstat(STDIN_FILENO, &file->st) < 0)
		return print_failure("standard input", "cannot read");
	return read_to_end(STDIN_FILENO, "standard input", most_text, file);
}

/* --------------------------------------------------------------------------------------- writing a file */

/* Open a device and write to it, because a device must not be replaced by a file.  Returns false after a message. */
static bool write_device(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_BINARY | O_CLOEXEC);
	if (fd < 0)
		return print_failure(path, "cannot write");
	/* The device may have been exchanged for a link to a file since stat(); that file must not be overwritten. */
	struct stat st;
	bool good = fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
	errno = EEXIST;
	good = good && wait_write(fd, bytes, size);
	int number = errno;
	if (close(fd) < 0 && good) {
		good = false;
		number = errno;
	}
	errno = number;
	return good || print_failure(path, "cannot write");
}

/* Whether PATH is a device for which stat() fails, as on Windows for NUL in any directory. */
static bool is_hidden_device(const char *path)
{
	bool device = false;
#ifdef _WIN32
	struct stat st;
	int fd = open(path, O_WRONLY | O_BINARY);
	if (fd >= 0) {
		device = fstat(fd, &st) == 0 && S_ISCHR(st.st_mode);
		close(fd);
	}
#else
	(void)path;
#endif
	return device;
}

bool file_write(const char *path, const void *bytes, size_t size, mode_t mode)
{
	struct stat st;
	bool exists = stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return print_failure(path, "cannot write");
	}
	if (exists ? !S_ISREG(st.st_mode) : is_hidden_device(path))
		return write_device(path, bytes, size);
	if (exists && access(path, W_OK) < 0)
		return print_failure(path, "cannot write");
	return replace_file(path, bytes, size, mode & 0777, false) || print_failure(path, "cannot write");
}

/* ------------------------------------------------------------------------ adding a file or a directory */

/* Whether PATH, which must exist, is a regular file with the SIZE bytes at BYTES.  Returns false after a message. */
static bool check_same_content(const char *path, const void *bytes, size_t size)
{
	struct stat st;
	struct file_content file;
	if (lstat(path, &st) < 0)
		return print_failure(path, "cannot read");
	if (!S_ISREG(st.st_mode))
		return diag("%s: not a regular file; it is not replaced", path);
	if (!file_read(path, &file))
		return false;
	bool equal = file.size == size && memcmp(file.bytes, bytes, size) == 0;
	free(file.bytes);
	return equal || diag("%s: a file with another content is there; it is not replaced", path);
}

bool file_can_add(const char *path, const void *bytes, size_t size)
{
	struct stat st;
	return lstat(path, &st) < 0 || check_same_content(path, bytes, size);
}

bool file_add(const char *path, const void *bytes, size_t size, mode_t mode, bool *added)
{
	struct stat st;
	*added = false;
	if (lstat(path, &st) < 0) {
		*added = replace_file(path, bytes, size, mode & 0777, true);
		if (!*added && errno != EEXIST)
			return print_failure(path, "cannot write");
	}
	return *added || check_same_content(path, bytes, size);
}

#ifdef _WIN32
static const char separators[] = "/\\";
#define make_directory(path) (mkdir(path) == 0)
#else
static const char separators[] = "/";
#define make_directory(path) (mkdir((path), 0777) == 0)
#endif

bool file_ensure_directory(const char *path)
{
	struct stat st;
	if (make_directory(path))
		return true;
	if (errno != EEXIST || lstat(path, &st) < 0)
		return print_failure(path, "cannot make this directory");
	return S_ISDIR(st.st_mode) || diag("%s: not a directory, or a link to one; nothing is written there", path);
}

bool file_make_directories(const char *path)
{
	if (access(path, F_OK) == 0)
		return true;
	char *above = strdup(path);
	if (!above)
		return diag_report_no_memory();
	/* Most of the directories above exist, so mkdir() fails.  Ignore all its errors: if a directory is missing,
	   making PATH fails and is reported. */
	for (char *p = above; *p; p++)
		if (p > above && strchr(separators, *p)) {
			const char separator = *p;
			*p = '\0';
			(void)make_directory(above);
			*p = separator;
		}
	bool good = make_directory(path) || errno == EEXIST || print_failure(path, "cannot make this directory");
	free(above);
	return good;
}

/* ------------------------------------------------------------------------------- entries of directories */

enum entry entry_kind(const struct dirent *entry, const char *path)
{
	struct stat st;
#ifdef HAVE_STRUCT_DIRENT_D_TYPE
	if (entry->d_type == DT_REG)
		return ENTRY_FILE;
	if (entry->d_type == DT_DIR)
		return ENTRY_DIRECTORY;
	if (entry->d_type != DT_LNK && entry->d_type != DT_UNKNOWN)
		return ENTRY_OTHER;
#else
	(void)entry;
#endif
	/* Call lstat() first, because a link to a directory is ENTRY_OTHER. */
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return ENTRY_DIRECTORY;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? ENTRY_FILE : ENTRY_OTHER;
}
