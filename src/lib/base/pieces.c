// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/pieces.h"
#include "core/bytes.h"
#include "core/view.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#include <string.h>

#ifdef HAVE_SYS_MMAN_H
#include <sys/mman.h>
#endif

enum { PAGE_SIZE_OF_PIECES = 4096 };

/* Read the missing pages from FIRST up to END (not included), adjacent ones with one call.  False after a failure. */
static bool read_missing_pages(struct rs_pieces *pieces, size_t first, size_t end)
{
	for (size_t begin = first; begin < end && !pieces->failed; begin++) {
		size_t stop = begin;
		while (stop < end && !pieces->read[stop])
			stop++;
		if (stop == begin)
			continue;
		const size_t offset = begin * PAGE_SIZE_OF_PIECES;
		pieces->failed = rs_source_copy_present(pieces->file, offset, (stop - begin) * PAGE_SIZE_OF_PIECES,
							pieces->bytes + offset, &pieces->why) < 0;
		memset(pieces->read + begin, !pieces->failed, stop - begin);
		begin = stop;
	}
	return !pieces->failed;
}

/* Returns a pointer to LENGTH bytes at OFFSET, which the file must have; NULL after a failure. */
static const uint8_t *get_bytes(struct rs_pieces *pieces, uint64_t offset, uint64_t length)
{
	const size_t first = (size_t)offset / PAGE_SIZE_OF_PIECES;
	const size_t end = length ? (size_t)(offset + length - 1) / PAGE_SIZE_OF_PIECES + 1 : first;
	return read_missing_pages(pieces, first, end) ? pieces->bytes + offset : NULL;
}

bool rs_pieces_map(struct rs_pieces *pieces, const struct rs_source *file)
{
	*pieces = (struct rs_pieces){ .file = file };
#ifdef HAVE_SYS_MMAN_H
	void *mapped = file->fd < 0 || file->closed || file->size == 0 || file->size > SIZE_MAX / 2
			       ? MAP_FAILED
			       : mmap(NULL, (size_t)file->size, PROT_READ, MAP_PRIVATE, file->fd, 0);
	pieces->mapped = mapped != MAP_FAILED;
	if (pieces->mapped)
		pieces->bytes = mapped;
#endif
	return pieces->mapped;
}

int rs_pieces_read_all(struct rs_pieces *pieces, struct rossym_error *err)
{
	if (!pieces->read)
		return 0;
	if (!get_bytes(pieces, 0, pieces->file->size))
		return rs_fail_with(err, &pieces->why);
	rs_free(pieces->read);
	pieces->read = NULL;
	return 0;
}

int rs_pieces_open(struct rs_pieces *pieces, const struct rs_source *file, bool map, struct rossym_error *err)
{
	const size_t size = (size_t)file->size;
	*pieces = (struct rs_pieces){ .file = file };
	if (rs_source_in_memory(file))
		return 0;
	if (file->size > UINT32_MAX || size != file->size)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "too large for its debug information to be read");
	if (map && rs_pieces_map(pieces, file))
		return 0;
	pieces->bytes = rs_alloc(size, 1);
	pieces->read = rs_alloc(size / PAGE_SIZE_OF_PIECES + 1, 1);
	if (pieces->bytes && pieces->read)
		return 0;
	rs_pieces_clear(pieces);
	return rs_fail_memory(err);
}

void rs_pieces_clear(struct rs_pieces *pieces)
{
#ifdef HAVE_SYS_MMAN_H
	if (pieces->mapped)
		munmap(pieces->bytes, (size_t)pieces->file->size);
#endif
	if (!pieces->mapped)
		rs_free(pieces->bytes);
	rs_free(pieces->read);
	*pieces = (struct rs_pieces){ .bytes = NULL };
}

/* The `read_function` of the source from rs_pieces_source().  Always reads from the file, and keeps nothing. */
static int read_without_keeping(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct rs_pieces *pieces = context;
	const struct rossym_reader file = rs_source_reader(pieces->file);
	if (rs_view(&file, offset, length, buffer, fault))
		return 0;
	pieces->failed = true;
	rs_fail_fault(&pieces->why, fault);
	return -1;
}

struct rs_source rs_pieces_source(struct rs_pieces *pieces)
{
	if (!pieces->bytes)
		return *pieces->file;
	if (!pieces->read)
		return rs_source_from_memory(pieces->bytes, pieces->file->size);
	return (struct rs_source){
		.fd = -1, .size = pieces->file->size, .read_function = read_without_keeping, .context = pieces
	};
}

const uint8_t *rs_source_bytes(const struct rs_source *source, uint64_t offset, uint64_t length)
{
	if (!rs_in_range(offset, length, source->size))
		return NULL;
	return source->read_function == read_without_keeping ? get_bytes(source->context, offset, length)
							     : source->memory + offset;
}
