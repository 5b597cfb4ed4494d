// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/base/pieces.h"
#include "core/bytes.h"
#include "core/view.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

#include <string.h>

enum { PAGE_SIZE_OF_PIECES = 4096 };

int rs_pieces_open(struct rs_pieces *pieces, const struct rs_source *file, struct rossym_error *err)
{
	const size_t size = (size_t)file->size;
	*pieces = (struct rs_pieces){ .file = file };
	if (file->size > UINT32_MAX || size != file->size)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "too large for its debug information to be read");
	pieces->bytes = rs_alloc(size, 1);
	pieces->read = rs_alloc(size / PAGE_SIZE_OF_PIECES + 1, 1);
	if (pieces->bytes && pieces->read)
		return 0;
	rs_pieces_clear(pieces);
	return rs_fail_memory(err);
}

void rs_pieces_clear(struct rs_pieces *pieces)
{
	rs_free(pieces->bytes);
	rs_free(pieces->read);
	*pieces = (struct rs_pieces){ .file = NULL };
}

/* Read those pages from FIRST to before END that have not been read: each run of them at once.  Returns false after a
   failure. */
static bool read_pages(struct rs_pieces *pieces, size_t first, size_t end)
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

/* Returns LENGTH bytes at OFFSET, which are in the file; NULL after a failure. */
static const uint8_t *get_bytes(struct rs_pieces *pieces, uint64_t offset, uint64_t length)
{
	const size_t first = (size_t)offset / PAGE_SIZE_OF_PIECES;
	const size_t end = length ? (size_t)(offset + length - 1) / PAGE_SIZE_OF_PIECES + 1 : first;
	return read_pages(pieces, first, end) ? pieces->bytes + offset : NULL;
}

/* The function `read_function` of rs_pieces_source(). */
static int read_piece(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	const uint8_t *bytes = get_bytes(context, offset, length);
	if (!bytes)
		return rs_fault_at(fault, ROSSYM_FAULT_SHORTER, offset);
	memcpy(buffer, bytes, length);
	return 0;
}

struct rs_source rs_pieces_source(struct rs_pieces *pieces)
{
	return (struct rs_source){
		.fd = -1, .size = pieces->file->size, .read_function = read_piece, .context = pieces
	};
}

const uint8_t *rs_source_bytes(const struct rs_source *source, uint64_t offset, uint64_t length)
{
	if (!rs_in_range(offset, length, source->size))
		return NULL;
	return source->read_function == read_piece ? get_bytes(source->context, offset, length)
						   : source->memory + offset;
}
