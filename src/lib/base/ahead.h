/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ahead.h - a reader that reads a window ahead
 *
 * The core reads headers in small windows, each a system call if it is a file's.  One larger read gets them all.
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

/* Read LENGTH bytes at OFFSET, or as many as BELOW has there; LENGTH is at most RS_AHEAD_SIZE.  Returns 0 or -1. */
int rs_ahead_open(struct rs_ahead *ahead, const struct rossym_reader *below, uint64_t offset, size_t length,
		  struct rossym_error *err);

/* Returns a reader for all bytes of BELOW, which takes them from the window if they are in it.  AHEAD must not move
   while it is used. */
struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead);

#endif
