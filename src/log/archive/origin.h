/* SPDX-License-Identifier: GPL-2.0-or-later */
/* origin.h - where the bytes of an archive are */
#ifndef LOG_ARCHIVE_ORIGIN_H
#define LOG_ARCHIVE_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct unpacker;

enum origin_kind { ORIGIN_FILE, ORIGIN_MEMORY, ORIGIN_OUTER };

struct origin {
	enum origin_kind kind;
	int file; /* ORIGIN_FILE: the archive is the SIZE bytes from START on in this open file */
	uint64_t start, size;
	const void *memory;	/* ORIGIN_MEMORY: it is the SIZE bytes here */
	struct unpacker *outer; /* ORIGIN_OUTER: it is the entry at which this unpacker is */
};

/* Store in *ORIGIN that it is the whole open file FILE, a regular one.  False with errno. */
bool origin_of_file(int file, struct origin *origin);

/* Make ORIGIN, which is a file or memory, the SIZE bytes of it from offset AT on, or as many as there are. */
void origin_narrow(struct origin *origin, uint64_t at, uint64_t size);

/* Read up to SIZE bytes at offset AT of ORIGIN, which is a file or memory.  Returns how many, or -1. */
int64_t origin_read(const struct origin *origin, uint64_t at, void *to, size_t size);

/*
 * The bytes of a file in an ISO are in one piece, and not packed unless it begins as zisofs does.
 * Whether the file whose SIZE bytes are said to be at AT of ORIGIN begins there, and is not packed.
 */
bool origin_begins_plain(const struct origin *origin, uint64_t at, uint64_t size);

/* Whether it also ends in ORIGIN. */
bool origin_is_plain(const struct origin *origin, uint64_t at, uint64_t size);

/* Read such a file of at most MOST bytes.  Returns memory that the caller frees; NULL: it is not plain, or longer, or
   there is no memory. */
void *origin_read_plain(const struct origin *origin, uint64_t at, uint64_t size, size_t most);

#endif
