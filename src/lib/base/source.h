/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * source.h - where an image's bytes come from: an open file, memory, or a caller's reader
 *
 * A file is read by pread(), a few bytes at a time.  For few bytes, this is about as fast as a mapping; threads share
 * no state; and when the file shrinks, reading fails, but does not raise SIGBUS.
 *
 * A "part" is a range of bytes with strings, which is read as a whole when it is first needed.  If several threads need
 * it at the same time, each reads the part, but only one publishes its copy; the others free theirs.
 */
#ifndef RS_SOURCE_H
#define RS_SOURCE_H

#include "rossym.h"
#include "compat/atomic.h"

#include <stdbool.h>

struct rs_source {
	const uint8_t *memory;		    /* the bytes, if `fd` is -1 and `read_function` is NULL */
	int fd;				    /* -1: no file */
	uint64_t size;			    /* bytes of the source */
	rossym_read_function read_function; /* of a caller's reader; NULL: there is none */
	void *context;			    /* for `read_function` */
	bool borrowed;			    /* rs_source_close() does not close `fd` */
	bool closed;			    /* rs_source_close() has been called: reading fails */
};

#define RS_SOURCE_INIT \
	{ \
		.fd = -1 \
	}

/* Size and time of a file.  If one of them differs later, the file has been changed.  All zeros: no file is open. */
struct rs_stamp {
	uint64_t size;
	int64_t time;
};

struct rs_stamp rs_source_stamp(const struct rs_source *source);

/* Whether the file of SOURCE has changed since rs_source_stamp() returned STAMP. */
bool rs_source_has_changed(const struct rs_source *source, const struct rs_stamp *stamp);

static inline struct rs_source rs_source_from_memory(const void *memory, uint64_t size)
{
	return (struct rs_source){ .memory = memory, .fd = -1, .size = size };
}

/* Open the regular file PATH.  Returns 0, or -1: ROSSYM_ESYS. */
int rs_source_open(struct rs_source *source, const char *path, struct rossym_error *err);

/* Let *SOURCE read the open regular file FD, which the caller closes.  Returns 0, or -1: ROSSYM_ESYS. */
int rs_source_open_fd(struct rs_source *source, int fd, struct rossym_error *err);

/* Let *SOURCE use the caller's READER.  Returns 0; or -1, ROSSYM_EREFUSED, if READER has no memory and no function. */
int rs_source_open_reader(struct rs_source *source, const struct rossym_reader *reader, struct rossym_error *err);

/* Close the file, unless it is `borrowed`.  After that, reading SOURCE fails with EBADF, unless it is in memory. */
void rs_source_close(struct rs_source *source);

static inline bool rs_source_in_memory(const struct rs_source *source)
{
	return source->fd < 0 && !source->read_function;
}

/* Returns a reader of the bytes of SOURCE, for the core.  Unless these are in memory, the reader refers to SOURCE, so
   SOURCE must not move. */
struct rossym_reader rs_source_reader(const struct rs_source *source);

/* Returns a pointer to LENGTH bytes at OFFSET.  If they are not in memory, reads them into BUFFER.  NULL: error. */
const uint8_t *rs_source_view(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);

/* Copy LENGTH bytes at OFFSET to BUFFER, even if they are in memory, unlike rs_source_view().  Returns 0 or -1. */
int rs_source_copy(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
		   struct rossym_error *err);

/* Copy those of the LENGTH bytes at OFFSET that SOURCE has to BUFFER, whose rest is unchanged.  Returns 0 or -1. */
int rs_source_copy_present(const struct rs_source *source, uint64_t offset, size_t length, void *buffer,
			   struct rossym_error *err);

/* Do what rs_source_view() and rs_source_copy() do, but read from READER, through which the core reads. */
const uint8_t *rs_reader_view(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
			      struct rossym_error *err);
int rs_reader_copy(const struct rossym_reader *reader, uint64_t offset, size_t length, void *buffer,
		   struct rossym_error *err);

/* Returns a copy of LENGTH bytes at OFFSET, with SLACK zeros after them, to be rs_free()d.  NULL on an error. */
void *rs_reader_duplicate(const struct rossym_reader *reader, uint64_t offset, uint64_t length, size_t slack,
			  struct rossym_error *err);

struct rs_part {
	uint64_t offset; /* in the bytes of the reader, which must have all bytes of the part */
	uint32_t length;
	uint32_t slack;	       /* how many zeros come after a copy and its NUL */
	RS_ATOMIC(char *) own; /* a copy from rs_alloc(), or NULL */
};

/* Returns a pointer to the bytes of PART: in the memory of READER, if it has memory and the last byte is a NUL; else to
   a copy with a NUL after it.  NULL on an error.  Valid until rs_part_clear(). */
const char *rs_part_get(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* Returns what rs_part_get() does, but always a copy, followed by a NUL and part->slack zeros. */
const char *rs_part_copy(struct rs_part *part, const struct rossym_reader *reader, struct rossym_error *err);

/* Returns what rs_part_get() does, but NULL if the bytes would have to be read or copied first. */
const char *rs_part_peek(const struct rs_part *part, const struct rossym_reader *reader);
void rs_part_clear(struct rs_part *part);

/* ------------------------------------------------------------------------------------------------ reading ahead */

/* The core reads a few bytes at a time; each read of a file is a system call.  A reader from rs_ahead_reader() reads
   windows of 4 KiB, and serves small reads from the windows that it has.  Use it for one operation only, such as
   opening an image: it does not notice when the file changes. */

enum { RS_AHEAD_SIZE = 4096 }; /* bytes of a window: nearly every image has all its headers in the first one */

struct rs_ahead_window {
	uint64_t offset; /* a multiple of RS_AHEAD_SIZE */
	size_t length;	 /* 0: nothing has been read */
	uint8_t bytes[RS_AHEAD_SIZE];
};

struct rs_ahead {
	struct rossym_reader below; /* where the bytes come from */
	struct rs_ahead_window *windows;
	uint32_t count;	 /* of windows */
	uint32_t oldest; /* index of the oldest window, which the next read replaces */
};

/* Returns a reader of the bytes of BELOW that keeps the newest COUNT windows, at least one; or a copy of BELOW if its
   bytes are in memory.  One thread may use the reader.  Until its last use, AHEAD and WINDOWS must not move. */
struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead, const struct rossym_reader *below,
				     struct rs_ahead_window *windows, uint32_t count);

#endif
