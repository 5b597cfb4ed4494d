// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/archive/origin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compat/compat.h"

bool origin_of_file(int file, struct origin *origin)
{
	/* lseek(), because the sandbox may refuse fstat() (tool/process/sandbox.c). */
	off_t size = lseek(file, 0, SEEK_END);
	*origin = (struct origin){ .kind = ORIGIN_FILE, .file = file, .size = size > 0 ? (uint64_t)size : 0 };
	return size >= 0;
}

void origin_narrow(struct origin *origin, uint64_t at, uint64_t size)
{
	if (at > origin->size)
		at = origin->size;
	if (size > origin->size - at)
		size = origin->size - at;
	origin->size = size;
	if (origin->kind == ORIGIN_MEMORY)
		origin->memory = (const char *)origin->memory + at;
	else
		origin->start += at;
}

int64_t origin_read(const struct origin *origin, uint64_t at, void *to, size_t size)
{
	if (at >= origin->size)
		return 0;
	if (size > origin->size - at)
		size = (size_t)(origin->size - at);
	if (origin->kind == ORIGIN_MEMORY) {
		memcpy(to, (const char *)origin->memory + at, size);
		return (int64_t)size;
	}
	size_t done = 0;
	while (done < size) {
		const ssize_t n = pread(origin->file, (char *)to + done, size - done,
					(off_t)(origin->start + at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		done += (size_t)n;
	}
	return (int64_t)done;
}

bool origin_begins_plain(const struct origin *origin, uint64_t at, uint64_t size)
{
	static const unsigned char zisofs[] = { 0x37, 0xe4, 0x53, 0x96, 0xc9, 0xdb, 0xd6, 0x07 };
	char begin[sizeof zisofs];
	return size >= sizeof begin && origin_read(origin, at, begin, sizeof begin) == (int64_t)sizeof begin &&
	       memcmp(begin, zisofs, sizeof begin) != 0;
}

void *origin_read_plain(const struct origin *origin, uint64_t at, uint64_t size, size_t most)
{
	char last;
	const bool whole = size <= most && origin_begins_plain(origin, at, size) &&
			   origin_read(origin, at + size - 1, &last, 1) == 1;
	void *bytes = whole ? malloc((size_t)size) : NULL;
	if (bytes && origin_read(origin, at, bytes, (size_t)size) == (int64_t)size)
		return bytes;
	free(bytes);
	return NULL;
}
