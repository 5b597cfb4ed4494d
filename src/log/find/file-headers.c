// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/file-headers.h"

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
