/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file-bytes.h - all bytes of a file of the index, for a short time */
#ifndef LOG_FIND_FILE_BYTES_H
#define LOG_FIND_FILE_BYTES_H

#include "log/find/file-index.h"

struct file_bytes {
	const void *bytes;
	size_t size;
	void *own;		 /* NULL, or the same bytes, on the heap */
	struct content *content; /* NULL, or what they belong to */
};

/* Read FILE of at most MOST bytes, which must be a regular file or be in an archive.  Returns true; or false, with the
   reason in *ERR. */
bool file_bytes_read(struct index *index, const struct file *file, uint64_t most, struct file_bytes *whole,
		     struct archives_error *err);

/* Give the bytes back.  WHOLE may be all zeros. */
void file_bytes_free(struct index *index, struct file_bytes *whole);

#endif
