/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segments.h - the strings of a table: read as far as strings are needed
 *
 * One look-up needs two strings of hundreds of kilobytes.  So the pool is cut into segments of equal length.  A segment is read
 * when a string that begins in it is needed, with an overhang in which that string and all others that begin in it end.  A
 * string that is longer makes the whole pool be read, as does every caller that goes through all strings.  The segments stay,
 * because pointers to their strings may have been handed out; so no more than RS_SEGMENTS_MOST bytes of segments are read
 * before the whole pool is.
 *
 * The core reads strings through the same segments, so judging a string and handing it out costs one read.
 *
 * Several threads may need a part first at the same time: each reads it, one of them publishes its copy, the others
 * drop theirs.
 */
#ifndef RS_SEGMENTS_H
#define RS_SEGMENTS_H

#include "lib/source.h"

enum {
	RS_SEGMENTS_COUNT = 64,		/* at most so many */
	RS_SEGMENT_SIZE = 4096,		/* bytes of a segment at least */
	RS_SEGMENTS_MOST = 1 << 18,		/* bytes of all segments that are read, about */
	RS_SEGMENTS_OVERHANG = 512,		/* bytes that are read after a segment */
	RS_SEGMENTS_SLACK = 32		/* bytes that can be read after a pool that has been read whole */
};

struct rs_segments {
	struct rossym_reader reader;	/* of the file */
	struct rs_part whole;
	_Atomic(uint32_t) in_segments;	/* bytes */
	_Atomic(char *) segments[RS_SEGMENTS_COUNT];
};

/* Take over the strings of TABLE, which has just been opened: from now on the core reads them through POOL, which must not move. */
void rs_segments_open(struct rs_segments *pool, struct rs_table *table);
void rs_segments_clear(struct rs_segments *pool);

/* All of it, with a NUL after it; NULL on error. */
const char *rs_segments_whole(struct rs_segments *pool, struct rossym_error *err);

/* The same, but with RS_SEGMENTS_SLACK bytes after it that mean nothing and can be read: never the caller's memory. */
const char *rs_segments_padded(struct rs_segments *pool, struct rossym_error *err);

/* The string at OFFSET, which is below the length.  NULL on error. */
const char *rs_segments_string(struct rs_segments *pool, uint32_t offset, struct rossym_error *err);

/* The offset of STRING, which came from one of the above; UINT32_MAX if it did not. */
uint32_t rs_segments_offset(const struct rs_segments *pool, const char *string);

#endif
