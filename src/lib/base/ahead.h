/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ahead.h - a reader with a read-ahead buffer
 *
 * The core reads headers in small pieces; from a file, each is a system call.  One larger read gets all of them.
 */
#ifndef RS_AHEAD_H
#define RS_AHEAD_H

#include "lib/base/source.h"

enum { RS_AHEAD_SIZE = 4096 }; /* all headers of nearly every image */

struct rs_ahead {
	struct rossym_reader below; /* where the bytes come from */
	uint64_t offset;	    /* of the window */
	size_t length;
	const uint8_t *window; /* points into the memory of `below` if it has memory, else to `buffer` */
	uint8_t buffer[RS_AHEAD_SIZE];
};

/* Read the window: LENGTH bytes at OFFSET of BELOW, or as many as BELOW has there.  LENGTH is at most RS_AHEAD_SIZE.
   Returns 0 or -1. */
int rs_ahead_open(struct rs_ahead *ahead, const struct rossym_reader *below, uint64_t offset, size_t length,
		  struct rossym_error *err);

/* Returns a reader of all bytes of BELOW.  It copies bytes in the window from there, and reads others from BELOW.
   AHEAD must not move while the reader is used. */
struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead);

#endif
