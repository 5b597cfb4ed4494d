// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/find/file-headers.h"

bool file_headers_open(struct index *index, const struct file *file, struct file_headers *headers)
{
	static const struct rossym_open_options options = { .size = sizeof options, .flags = ROSSYM_OPEN_HEADERS };
	struct archives_error why;
	*headers = (struct file_headers){ .image = NULL };
	if (!file->inside)
		return rossym_open(file->path, &options, &headers->image, NULL) == 0;
	headers->content = archives_read(index->archives, &file->place, &why);
	if (headers->content &&
	    rossym_open_memory(headers->content->bytes, headers->content->size, &options, &headers->image, NULL) == 0)
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
