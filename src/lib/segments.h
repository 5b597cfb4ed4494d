/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segments.h - the strings of a table: a range of the source, read as far as somebody wants strings of it
 *
 * One look-up wants two strings of hundreds of kilobytes.  So the pool is cut into segments of equal length, and a
 * segment is read when a string that begins in it is wanted, with enough behind it that this string and all others
 * that begin in it end there.  A string for which that is not enough makes the whole pool be read, as does everybody
 * who wants to go through all strings; the segments stay, for pointers to their strings may have been handed out.  So
 * that this costs little, no more than RS_SEGMENTS_MOST bytes of segments are read before all is.
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
	RS_SEGMENTS_OVERHANG = 512,		/* bytes that are read behind a segment */
	RS_SEGMENTS_SLACK = 32		/* bytes that can be read behind a pool that has been read whole */
};

struct rs_segments {
	struct rs_part whole;
	_Atomic(uint32_t) in_segments;	/* bytes */
	_Atomic(char *) segments[RS_SEGMENTS_COUNT];
};

/* LENGTH bytes at OFFSET of the source, which are there. */
void rs_segments_open(struct rs_segments *pool, uint64_t offset, uint32_t length);
void rs_segments_clear(struct rs_segments *pool);

/* All of it, with a NUL behind it; NULL on error. */
const char *rs_segments_whole(struct rs_segments *pool, const struct rs_source *source, struct rossym_error *err);

/* The same, but with RS_SEGMENTS_SLACK bytes behind it that mean nothing and can be read: never the caller's memory. */
const char *rs_segments_padded(struct rs_segments *pool, const struct rs_source *source, struct rossym_error *err);

/* Make sure that the string at OFFSET, which is below the length, can be had from rs_segments_string(). */
int rs_segments_fetch(struct rs_segments *pool, const struct rs_source *source, uint32_t offset, struct rossym_error *err);

/* The string at OFFSET, which has been fetched. */
const char *rs_segments_string(const struct rs_segments *pool, const struct rs_source *source, uint32_t offset);

/* The offset of STRING, which came from one of the above; UINT32_MAX if it did not. */
uint32_t rs_segments_offset(const struct rs_segments *pool, const struct rs_source *source, const char *string);

#endif
