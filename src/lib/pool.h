/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pool.h - the strings of a table: a range of the source, read as far as somebody wants strings of it
 *
 * One look-up wants two strings of hundreds of kilobytes.  So the pool is cut into segments of equal length, and a
 * segment is read when a string that begins in it is wanted, with enough behind it that this string and all others
 * that begin in it end there.  A string for which that is not enough makes the whole pool be read, as does everybody
 * who wants to go through all strings; the segments stay, for pointers to their strings may have been handed out.  So
 * that this costs little, no more than RS_POOL_MOST bytes of segments are read before all is.
 *
 * Several threads may need a part first at the same time: each reads it, one of them publishes its copy, the others
 * drop theirs.
 */
#ifndef RS_POOL_H
#define RS_POOL_H

#include "lib/source.h"

enum {
	RS_POOL_SEGMENTS = 64,		/* at most so many */
	RS_POOL_SEGMENT = 4096,		/* bytes of a segment at least */
	RS_POOL_MOST = 1 << 18,		/* bytes of all segments that are read, about */
	RS_POOL_OVERHANG = 512,		/* bytes that are read behind a segment */
	RS_POOL_SLACK = 32		/* bytes that can be read behind a pool that has been read whole */
};

struct rs_pool {
	struct rs_part whole;
	_Atomic(uint32_t) in_segments;	/* bytes */
	_Atomic(char *) segments[RS_POOL_SEGMENTS];
};

/* LENGTH bytes at OFFSET of the source, which are there. */
void rs_pool_open(struct rs_pool *pool, uint64_t offset, uint32_t length);
void rs_pool_clear(struct rs_pool *pool);

/* All of it, with a NUL behind it; NULL on error. */
const char *rs_pool_whole(struct rs_pool *pool, const struct rs_source *source, struct rossym_error *err);

/* The same, but with RS_POOL_SLACK bytes behind it that mean nothing and can be read: never the caller's memory. */
const char *rs_pool_padded(struct rs_pool *pool, const struct rs_source *source, struct rossym_error *err);

/* Make sure that the string at OFFSET, which is below the length, can be had from rs_pool_string(). */
int rs_pool_fetch(struct rs_pool *pool, const struct rs_source *source, uint32_t offset, struct rossym_error *err);

/* The string at OFFSET, which has been fetched. */
const char *rs_pool_string(const struct rs_pool *pool, const struct rs_source *source, uint32_t offset);

#endif
