/* SPDX-License-Identifier: GPL-2.0-or-later */
/* file-headers.h - opens the headers of an image of the index, which may be in an archive */
#ifndef LOG_FIND_FILE_HEADERS_H
#define LOG_FIND_FILE_HEADERS_H

#include "log/find/file-index.h"
#include "rossym.h"

/* An image that is open, and what it needs. */
struct file_headers {
	struct rossym_image *image;
	struct content *content; /* NULL: the image is in no archive */
};

/* Open FILE as rossym_open() does; from CONTENT, its bytes, if it is in an archive. */
int file_image_open(const struct file *file, const struct content *content, const struct rossym_open_options *options,
		    struct rossym_image **image, struct rossym_error *err);

/* Open the headers of FILE.  False, without a message: they cannot be read.  Call file_headers_close() after success. */
bool file_headers_open(struct index *index, const struct file *file, struct file_headers *headers);
void file_headers_close(struct index *index, struct file_headers *headers);

#endif
