/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * segments.h - the strings of a table, read in segments when they are needed
 *
 * The strings of a table, the "pool", take hundreds of kilobytes, and a look-up needs two of them.  So the pool is
 * divided into segments of equal length.  A segment is read when a string that begins in it is needed.  Some more bytes
 * are read with it, the overhang, so that the last string that begins in the segment is whole.  If that string does not
 * end in the overhang, the whole pool is read.  It is also read for callers that go through all strings.  Segments stay
 * in memory, because callers have pointers to their strings.  So after RS_SEGMENTS_MAX bytes of segments, the whole
 * pool is read.
 *
 * The core reads strings through the same segments.  So when the core has read a string to find out what it means, the
 * library can return the string without another read.
 *
 * Several threads may read the same segment at the same time: one of them publishes its copy, the others free theirs.
 */
#ifndef RS_SEGMENTS_H
#define RS_SEGMENTS_H

#include "lib/base/source.h"

enum {
	RS_SEGMENTS_COUNT = 64,	    /* most segments of a pool */
	RS_SEGMENT_SIZE = 4096,	    /* fewest bytes of a segment */
	RS_SEGMENTS_MAX = 1 << 18,  /* after so many bytes of segments, the whole pool is read */
	RS_SEGMENTS_OVERHANG = 512, /* bytes of the overhang; most strings are shorter */
	RS_SEGMENTS_SLACK = 32,	    /* bytes that can be read after the pool from rs_segments_padded() */
};

struct rs_segments {
	struct rossym_reader reader;		       /* reads the file that has the table */
	struct rs_part whole;			       /* the whole pool */
	RS_ATOMIC(uint32_t) in_segments;	       /* how many bytes have been read in segments */
	RS_ATOMIC(char *) segments[RS_SEGMENTS_COUNT]; /* NULL: not read yet */
};

/* Open the strings of TABLE, which has just been opened.  From now on the core reads these strings through POOL, too,
   so POOL must not move. */
void rs_segments_open(struct rs_segments *pool, struct rs_table *table);
void rs_segments_clear(struct rs_segments *pool);

/* Returns the whole pool with a NUL after it; reads it if necessary.  Valid until rs_segments_clear().  NULL
   on error. */
const char *rs_segments_whole(struct rs_segments *pool, struct rossym_error *err);

/* Returns a copy of the whole pool, even if the table is in memory; RS_SEGMENTS_SLACK bytes after the copy can be read
   and mean nothing.  Valid until rs_segments_clear().  NULL on error. */
const char *rs_segments_padded(struct rs_segments *pool, struct rossym_error *err);

/* Returns the string at OFFSET, which is below the length of the pool.  Valid until rs_segments_clear().  NULL
   on error. */
const char *rs_segments_string(struct rs_segments *pool, uint32_t offset, struct rossym_error *err);

#endif
