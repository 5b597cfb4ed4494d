/* SPDX-License-Identifier: GPL-2.0-or-later */
/* origin.h - where the bytes of an archive come from: a file, memory, or the reader of an outer archive */
#ifndef LOG_ARCHIVE_ORIGIN_H
#define LOG_ARCHIVE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpacker;

enum origin_kind { ORIGIN_FILE, ORIGIN_MEMORY, ORIGIN_OUTER };

struct origin {
	enum origin_kind kind;
	int file; /* ORIGIN_FILE: the origin is `size` bytes of this open file, from offset `start` on */
	uint64_t start, size;
	const void *memory;	/* ORIGIN_MEMORY: the origin is `size` bytes here */
	struct unpacker *outer; /* ORIGIN_OUTER: the origin is the entry at which this reader of an outer archive is */
};

/* Returns the SIZE bytes at BYTES as an origin. */
static inline struct origin origin_of_memory(const void *bytes, uint64_t size)
{
	return (struct origin){ .kind = ORIGIN_MEMORY, .memory = bytes, .size = size };
}

/* Set *ORIGIN to the whole of the open regular file FILE.  Returns false after an error, with errno set. */
bool origin_of_file(int file, struct origin *origin);

/* Narrow ORIGIN, a file or memory, to the SIZE bytes from its offset AT on, or to as many of them as it has. */
void origin_narrow(struct origin *origin, uint64_t at, uint64_t size);

/* Read up to SIZE bytes at offset AT of ORIGIN, a file or memory.  Returns how many it has read; -1 after an error. */
int64_t origin_read(const struct origin *origin, uint64_t at, void *to, size_t size);

/* Whether the file with the SIZE bytes at offset AT of ORIGIN seems plain, so that its bytes can be read as they are.
   ORIGIN must be an ISO, in which each file is contiguous.  A file that begins with the magic number of zisofs, which
   compresses files in ISOs, is not plain.  A file of fewer than 8 bytes counts as not plain. */
bool origin_begins_plain(const struct origin *origin, uint64_t at, uint64_t size);

/* Read the file at AT, if origin_begins_plain() is true for it.  Returns its bytes, which the caller frees; NULL if it
   is not plain, has more than MOST bytes or cannot be read, or if there is no memory. */
void *origin_read_plain(const struct origin *origin, uint64_t at, uint64_t size, size_t most);

#endif
