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
#include "compat/atomic.h"

#include <stdbool.h>

struct rs_source {
	const uint8_t *memory; /* if FD is -1 and there is no READ_FUNCTION */
	int fd;
	uint64_t size;
	rossym_read_function read_function; /* instead of FD: a caller's reader, and its context */
	void *context;
	bool borrowed; /* FD is the caller's to close */
	bool closed;   /* nothing can be read any more */
};

#define RS_SOURCE_INIT \
	{ \
		.fd = -1 \
	}

int rs_source_open(struct rs_source *source, const char *path, struct rossym_error *err);

/* Make *SOURCE read an open file, which stays the caller's. */
int rs_source_open_fd(struct rs_source *source, int fd, struct rossym_error *err);

/* Close the file, if it is the source's own.  From then on reading fails with EBADF.  What is in memory
   stays readable. */
void rs_source_close(struct rs_source *source);

static inline bool rs_source_in_memory(const struct rs_source *source)
{
	return source->fd < 0 && !source->read_function;
}

/* The core's reader of the same bytes.  Unless they are in memory, it refers to SOURCE, which must not move. */
struct rossym_reader rs_source_reader(const struct rs_source *source);

/* LENGTH bytes at OFFSET: a pointer to them in memory, or else BUFFER with a copy.  NULL on error. */
const uint8_t *rs_source_view(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);

/* As rs_view() of the core, but for its error. */
const uint8_t *rs_reader_view(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);

struct rs_part {
	uint64_t offset; /* in the reader, and in range there */
	uint32_t length;
	uint32_t slack;	       /* zeros after a copy, besides a NUL */
	RS_ATOMIC(char *) own; /* a copy on the heap, or NULL */
};

/* The part's bytes, a NUL after the last of them (perhaps the last itself).  NULL on error. */
const char *rs_part_get(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* As rs_part_get(), always a copy, with its slack. */
const char *rs_part_copy(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* The part's bytes if they can be had without reading, else NULL. */
const char *rs_part_peek(const struct rs_part *part, const struct rossym_reader *reader);
void rs_part_clear(struct rs_part *part);

#endif
