/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup-chains.h - the fast path of look-ups that return all frames, in an image with chains
 *
 * It does each step for many addresses before the next step, and prefetches what the next step reads, as index.h
 * does.  The reference path is in lookup-frames.c: it takes the frames of one answer after the other from the block.
 * With the reference path, a million addresses with -f and -i take 3.5 times as long.  tests/core/unit-block.c checks that
 * both give equal frames.
 */
#ifndef RS_LOOKUP_CHAINS_H
#define RS_LOOKUP_CHAINS_H

#include "lib/image.h"

/* The caller's arrays of rossym_lookup_frames(), and how far they are filled. */
struct rs_frame_store {
	struct rossym_frame *frames;
	uint32_t used, room; /* how many frames are stored, and how many fit */
	uint32_t *ends;	     /* where to store the end of the next address's frames */
};

/* Store END, the index after the last frame of the next address.  Returns true. */
static inline bool rs_frame_store_end(struct rs_frame_store *store, uint32_t end)
{
	*store->ends++ = store->used = end;
	return true;
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH.  Returns how many are done: fewer if the frames of the next one do
   not fit. */
int rs_chains_lookup(struct rossym_image *image, const struct rs_chains *chains, const uint64_t *rvas, int count,
		     unsigned flags, struct rs_frame_store *store);

#endif
