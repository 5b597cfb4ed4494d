/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - where an image's bytes come from: an open file, memory, or a caller's reader
 *
 * A file is read in small windows by pread(), which costs as little as touching a mapping where few bytes are
 * needed, shares no state between threads, and turns a file that shrinks into an error instead of SIGBUS.
 *
 * A "part" is a range of strings that is read whole when it is first needed.  Several threads may need it first at
 * the same time: each reads it, one of them publishes its copy, the others drop theirs.
 */
#ifndef RS_SOURCE_H
#define RS_SOURCE_H

#include "rossym.h"

#include <stdatomic.h>

struct rs_source {
	const uint8_t *memory;	/* NULL for a file */
	int fd;			/* -1 for memory */
	uint64_t size;
	rossym_read_function read_function;	/* for a file, instead of FD: a caller's reader, and its context */
	void *context;
};

#define RS_SOURCE_INIT { .memory = NULL, .fd = -1, .size = 0 }

int rs_source_open(struct rs_source *source, const char *path, struct rossym_error *err);
void rs_source_clear(struct rs_source *source);

/* The core's reader of the same bytes.  It works as long as the file is open, also when SOURCE has been copied. */
struct rossym_reader rs_source_reader(const struct rs_source *source);

/* LENGTH bytes at OFFSET: in memory where they are, else read into BUFFER.  NULL on error. */
const uint8_t *rs_source_view(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);

/* As rs_view() of the core, but for its error. */
const uint8_t *rs_reader_view(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);

struct rs_part {
	uint64_t offset;	/* in the reader, and in range there */
	uint32_t length;
	uint32_t slack;		/* zeros after a copy, besides a NUL */
	_Atomic(char *) own;	/* a copy on the heap, or NULL */
};

/* The part's bytes, a NUL after the last of them (perhaps the last itself).  NULL on error. */
const char *rs_part_get(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* The same, always a copy, with its slack. */
const char *rs_part_copy(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* The part's bytes if they can be had without reading, else NULL. */
const char *rs_part_peek(const struct rs_part *part, const struct rossym_reader *reader);
void rs_part_clear(struct rs_part *part);

#endif
