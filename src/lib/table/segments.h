/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segments.h - the strings of a table: read as far as strings are needed
 *
 * One look-up needs two strings of hundreds of kilobytes.  So the pool is cut into segments of equal length.  A segment
 * is read when a string that begins in it is needed, with an overhang in which that string and all others that begin in
 * it end.  A string that is longer makes the whole pool be read, as does every caller that goes through all strings.
 * The segments stay, because pointers to their strings may have been handed out; so no more than RS_SEGMENTS_MOST bytes
 * of segments are read before the whole pool is.
 *
 * The core reads strings through the same segments, so judging a string and handing it out costs one read.
 *
 * Several threads may need a part first at the same time: each reads it, one of them publishes its copy, the others
 * drop theirs.
 */
#ifndef RS_SEGMENTS_H
#define RS_SEGMENTS_H

#include "lib/base/source.h"

enum {
	RS_SEGMENTS_COUNT = 64, /* the most segments */
	RS_SEGMENT_SIZE = 4096, /* the fewest bytes of a segment */
	/* when so many bytes have been read in segments, the whole pool is read */
	RS_SEGMENTS_MOST = 1 << 18,
	RS_SEGMENTS_OVERHANG = 512, /* bytes that are read after a segment: most strings are shorter */
	RS_SEGMENTS_SLACK = 32,	    /* bytes that can be read after a pool that has been read whole */
};

struct rs_segments {
	struct rossym_reader reader; /* of the file */
	struct rs_part whole;
	RS_ATOMIC(uint32_t) in_segments;	       /* how many bytes have been read in segments */
	RS_ATOMIC(char *) segments[RS_SEGMENTS_COUNT]; /* NULL: not read yet */
};

/* Take over the strings of TABLE, which has just been opened: from now on the core reads them through POOL, which must
   not move. */
void rs_segments_open(struct rs_segments *pool, struct rs_table *table);
void rs_segments_clear(struct rs_segments *pool);

/* Returns the whole pool with a NUL after it; reads it if necessary.  Valid until rs_segments_clear().  NULL
   on error. */
const char *rs_segments_whole(struct rs_segments *pool, struct rossym_error *err);

/* Returns a copy of the whole pool, never the caller's memory; RS_SEGMENTS_SLACK bytes after it can be read and mean
   nothing.  Valid until rs_segments_clear().  NULL on error. */
const char *rs_segments_padded(struct rs_segments *pool, struct rossym_error *err);

/* Returns the string at OFFSET, which is below the length of the pool.  Valid until rs_segments_clear().  NULL
   on error. */
const char *rs_segments_string(struct rs_segments *pool, uint32_t offset, struct rossym_error *err);

/* Returns the offset of STRING, which one of the functions above returned; UINT32_MAX if none of them did. */
uint32_t rs_segments_offset(const struct rs_segments *pool, const char *string);

#endif
