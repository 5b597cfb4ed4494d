// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"

/* This header comes first: on Windows it makes `read` a macro, which also renames a member of struct rossym_reader. */
#include "compat/compat.h"

#include "lib/base/source.h"
#include "core/view.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "compat/pages.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Store the size of the file FD in *SIZE.  Returns 0; or an errno if FD is no regular file. */
static int get_regular_file_size(int fd, uint64_t *size)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return errno;
	*size = (uint64_t)st.st_size;
	return S_ISDIR(st.st_mode) ? EISDIR : S_ISREG(st.st_mode) ? 0 : EINVAL;
}

int rs_source_open_fd(struct rs_source *source, int fd, struct rossym_error *err)
{
	uint64_t size = 0;
	int number = get_regular_file_size(fd, &size);
	if (number)
		return rs_fail_errno(err, number, "cannot read");
	*source = (struct rs_source){ .fd = fd, .size = size, .borrowed = true };
	return 0;
}

int rs_source_open(struct rs_source *source, const char *path, struct rossym_error *err)
{
	/* Without O_NONBLOCK, opening a FIFO that nobody writes to would never return. */
	int fd = open(path, O_RDONLY | O_BINARY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return rs_fail_errno(err, errno, "cannot open");
	if (rs_source_open_fd(source, fd, err) < 0) {
		close(fd);
		return -1;
	}
	source->borrowed = false;
	return 0;
}

int rs_source_open_reader(struct rs_source *source, const struct rossym_reader *reader, struct rossym_error *err)
{
	*source = (struct rs_source){ .memory = reader->memory,
				      .fd = -1,
				      .size = reader->size,
				      .read_function = reader->memory ? NULL : reader->read,
				      .context = reader->context };
	return reader->memory || reader->read ? 0 : rs_fail(err, ROSSYM_EREFUSED, 0, "a reader without a function");
}

void rs_source_close(struct rs_source *source)
{
	if (rs_source_in_memory(source))
		return;
	if (source->fd >= 0 && !source->borrowed && !source->closed)
		close(source->fd);
	source->closed = true;
}

struct rs_stamp rs_source_stamp(const struct rs_source *source)
{
	struct stat st;
	if (source->fd < 0 || source->closed || fstat(source->fd, &st) < 0)
		return (struct rs_stamp){ 0 };
	return (struct rs_stamp){ (uint64_t)st.st_size, st.st_mtime };
}

bool rs_source_has_changed(const struct rs_source *source, const struct rs_stamp *stamp)
{
	const struct rs_stamp now = rs_source_stamp(source);
	return now.size != stamp->size || now.time != stamp->time;
}

static int read_file(int fd, uint64_t offset, uint8_t *to, size_t length, struct rossym_fault *fault)
{
	for (size_t have = 0; have < length;) {
		ssize_t n = pread(fd, to + have, length - have, (off_t)(offset + have));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return rs_fault_store(fault, ROSSYM_FAULT_READ, offset, (uint64_t)errno, 0, 0);
		if (n == 0)
			return rs_fault_store_at(fault, ROSSYM_FAULT_SHORTER, offset + have);
		have += (size_t)n;
	}
	return 0;
}

/* The function `read` of the reader that rs_source_reader() returns.  CONTEXT is the source. */
static int read_source(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const struct rs_source *source = context;
	if (source->closed)
		return rs_fault_store(fault, ROSSYM_FAULT_READ, offset, EBADF, 0, 0);
	if (source->read_function)
		return source->read_function(source->context, offset, buffer, length, fault);
	return read_file(source->fd, offset, buffer, length, fault);
}

struct rossym_reader rs_source_reader(const struct rs_source *source)
{
	if (rs_source_in_memory(source))
		return (struct rossym_reader){ source->memory, source->size, NULL, NULL };
	return (struct rossym_reader){ NULL, source->size, read_source, (void *)(uintptr_t)source };
}

const uint8_t *rs_reader_view(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err)
{
	struct rossym_fault fault;
	const uint8_t *bytes = rs_view(reader, offset, length, buffer, &fault);
	if (!bytes)
		rs_fail_fault(err, &fault);
	return bytes;
}

int rs_reader_copy(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
		   struct rossym_error *err)
{
	const uint8_t *bytes = rs_reader_view(reader, offset, length, buffer, err);
	if (bytes && bytes != buffer)
		memcpy(buffer, bytes, length);
	return bytes ? 0 : -1;
}

void *rs_reader_duplicate(const struct rossym_reader *reader, uint64_t offset, uint64_t length, size_t slack,
			  struct rossym_error *err)
{
	void *bytes = length <= SIZE_MAX - slack ? rs_alloc((size_t)length + slack, 1) : NULL;
	if (!bytes) {
		rs_fail_memory(err);
		return NULL;
	}
	rs_request_huge_pages(bytes, (size_t)length);
	if (rs_reader_copy(reader, offset, (size_t)length, bytes, err) == 0)
		return bytes;
	rs_free(bytes);
	return NULL;
}

const uint8_t *rs_source_view(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(source);
	return rs_reader_view(&reader, offset, length, buffer, err);
}

int rs_source_copy(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
		   struct rossym_error *err)
{
	const struct rossym_reader reader = rs_source_reader(source);
	return rs_reader_copy(&reader, offset, length, buffer, err);
}

int rs_source_copy_present(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			   struct rossym_error *err)
{
	const uint64_t rest = source->size > offset ? source->size - offset : 0;
	const size_t present = length < rest ? length : (size_t)rest;
	return present == 0 ? 0 : rs_source_copy(source, offset, present, buffer, err);
}

const char *rs_part_peek(const struct rs_part *part, const struct rossym_reader *reader)
{
	const char *own = atomic_load_explicit(&part->own, memory_order_acquire);
	if (own)
		return own;
	const char *memory = reader->memory;
	if (memory && part->length && memory[part->offset + part->length - 1] == '\0')
		return memory + part->offset;
	return NULL;
}

const char *rs_part_get(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err)
{
	const char *there = rs_part_peek(part, reader);
	return there ? there : rs_part_copy(part, reader, err);
}

const char *rs_part_copy(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err)
{
	char *own = atomic_load_explicit(&part->own, memory_order_acquire);
	if (own)
		return own;

	char *published = NULL;
	own = rs_reader_duplicate(reader, part->offset, part->length, 1 + part->slack, err);
	return own ? RS_PUBLISH(&part->own, own, published, rs_free) : NULL;
}

void rs_part_clear(struct rs_part *part)
{
	rs_free(atomic_load_explicit(&part->own, memory_order_relaxed));
}

/* ------------------------------------------------------------------------------------------------ reading ahead */

/* Returns the window with the byte at OFFSET.  If none has it, reads one in place of the oldest.  NULL on an error. */
static const struct rs_ahead_window *find_or_read_window(struct rs_ahead *ahead, uint64_t offset)
{
	const struct rossym_reader *below = &ahead->below;
	struct rossym_fault unused;
	for (uint32_t i = 0; i < ahead->count; i++)
		if (offset >= ahead->windows[i].offset && offset - ahead->windows[i].offset < ahead->windows[i].length)
			return &ahead->windows[i];
	struct rs_ahead_window *window = &ahead->windows[ahead->oldest];
	window->offset = offset - offset % RS_AHEAD_SIZE;
	const uint64_t left = below->size - window->offset;
	const size_t length = left < RS_AHEAD_SIZE ? (size_t)left : RS_AHEAD_SIZE;
	window->length = 0;
	if (!rs_view(below, window->offset, length, window->bytes, &unused))
		return NULL;
	window->length = length;
	ahead->oldest = ahead->oldest + 1 < ahead->count ? ahead->oldest + 1 : 0;
	return window;
}

/* The function `read` of the reader that rs_ahead_reader() returns.  CONTEXT is the struct rs_ahead.  If a window
   cannot be read, read only the requested bytes: these may be readable, and if not, a fault must name their offset. */
static int read_through_windows(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct rs_ahead *ahead = context;
	uint8_t *to = buffer;
	while (length > 0) {
		const struct rs_ahead_window *window = length <= RS_AHEAD_SIZE ? find_or_read_window(ahead, offset)
									       : NULL;
		if (!window)
			return rs_view(&ahead->below, offset, length, to, fault) ? 0 : -1;
		const size_t from = (size_t)(offset - window->offset);
		const size_t count = length < window->length - from ? length : window->length - from;
		memcpy(to, window->bytes + from, count);
		to += count;
		offset += count;
		length -= count;
	}
	return 0;
}

struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead, const struct rossym_reader *below,
				     struct rs_ahead_window *windows, uint32_t count)
{
	*ahead = (struct rs_ahead){ *below, windows, count, 0 };
	for (uint32_t i = 0; i < count; i++)
		windows[i].offset = windows[i].length = 0;
	return below->memory ? *below : (struct rossym_reader){ NULL, below->size, read_through_windows, ahead };
}
