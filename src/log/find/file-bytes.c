// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/file-bytes.h"
#include "tool/files/file.h"
#include "tool/wait.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read up to SIZE bytes from FD, and store in *DONE how many were read.  Returns the bytes, which the caller frees;
   NULL with errno on failure. */
static void *read_bytes(int fd, size_t size, size_t *done)
{
	void *bytes = malloc(size ? size : 1);
	ssize_t n = bytes ? wait_read_all(fd, bytes, size) : 0;
	*done = n > 0 ? (size_t)n : 0;
	if (n >= 0)
		return bytes;
	free(bytes);
	return NULL;
}

static bool read_file(const char *path, uint64_t most, struct file_bytes *whole, struct archives_error *err)
{
	struct stat st;
	int fd = open_file(path, false);
	bool known = fd >= 0 && fstat(fd, &st) == 0;
	if (!known)
		archives_fail(err, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		archives_fail(err, "not a regular file");
	else if ((uint64_t)st.st_size > most)
		archives_fail(err, "too large");
	else if (!(whole->own = read_bytes(fd, (size_t)st.st_size, &whole->size)))
		archives_fail(err, strerror(errno));
	if (fd >= 0)
		close(fd);
	whole->bytes = whole->own;
	return whole->own != NULL;
}

bool file_bytes_read(struct index *index, const struct file *file, uint64_t most, struct file_bytes *whole,
		     struct archives_error *err)
{
	*whole = (struct file_bytes){ .bytes = NULL };
	if (!file->inside)
		return read_file(file->path, most, whole, err);
	whole->content = archives_read(index->archives, &file->place, err);
	if (!whole->content)
		return false;
	whole->bytes = whole->content->bytes;
	whole->size = whole->content->size;
	if (whole->size <= most)
		return true;
	archives_fail(err, "too large");
	file_bytes_clear(index, whole);
	return false;
}

void file_bytes_clear(struct index *index, struct file_bytes *whole)
{
	if (whole->content)
		archives_release(index->archives, whole->content);
	free(whole->own);
	*whole = (struct file_bytes){ .bytes = NULL };
}

int file_image_open(const struct file *file, const struct content *content, const struct rossym_open_options *options,
		    struct rossym_image **image, struct rossym_error *err)
{
	return content ? rossym_open_memory(content->bytes, content->size, options, image, err)
		       : rossym_open(file->path, options, image, err);
}

bool file_headers_open(struct index *index, const struct file *file, struct file_headers *headers)
{
	static const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	struct archives_error why;
	*headers = (struct file_headers){ .image = NULL };
	if (file->inside && !(headers->content = archives_read(index->archives, &file->place, &why)))
		return false;
	if (file_image_open(file, headers->content, &options, &headers->image, NULL) == 0)
		return true;
	file_headers_close(index, headers);
	return false;
}

void file_headers_close(struct index *index, struct file_headers *headers)
{
	rossym_close(headers->image);
	if (headers->content)
		archives_release(index->archives, headers->content);
}
