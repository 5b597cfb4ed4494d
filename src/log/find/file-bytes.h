/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file-bytes.h - the bytes of a file of the index, which may be in an archive: all of them in memory, or those of an
   image's headers */
#ifndef LOG_FIND_FILE_BYTES_H
#define LOG_FIND_FILE_BYTES_H

#include "log/find/file-index.h"
#include "rossym.h"

struct file_bytes {
	const void *bytes;
	size_t size;
	void *own;		 /* a file outside of archives: the bytes, to be freed; else NULL */
	struct content *content; /* a file in an archive: what the bytes belong to; else NULL */
};

/* Read all of FILE, a regular file or one in an archive, if it has at most MOST bytes.  Returns false, with the reason
   in *ERR, if that fails. */
bool file_bytes_read(struct index *index, const struct file *file, uint64_t most, struct file_bytes *whole,
		     struct archives_error *err);

/* Free the bytes.  WHOLE may be all zeros. */
void file_bytes_clear(struct index *index, struct file_bytes *whole);

/* An image that is open, and what it needs. */
struct file_headers {
	struct rossym_image *image;
	struct content *content; /* NULL: the image is in no archive */
};

/* Open FILE, and return a result, as rossym_open() does.  CONTENT: its bytes if it is in an archive; else NULL. */
int file_image_open(const struct file *file, const struct content *content, const struct rossym_open_options *options,
		    struct rossym_image **image, struct rossym_error *err);

/* Open the headers of FILE.  False, without a message: they cannot be read.  Call file_headers_close() after
   success. */
bool file_headers_open(struct index *index, const struct file *file, struct file_headers *headers);
void file_headers_close(struct index *index, struct file_headers *headers);

#endif
