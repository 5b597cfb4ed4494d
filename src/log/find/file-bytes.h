/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file-bytes.h - the whole content of a file of the index, in memory */
#ifndef LOG_FIND_FILE_BYTES_H
#define LOG_FIND_FILE_BYTES_H

#include "log/find/file-index.h"

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

#endif
