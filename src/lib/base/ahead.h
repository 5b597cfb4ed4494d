/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ahead.h - a reader that reads ahead
 *
 * The core reads a few bytes at a time; each read of a file is a system call.  This reader reads aligned windows, and
 * serves small reads from the windows that it has.  It belongs to one operation, such as opening an image: it does not
 * notice when the file changes.
 */
#ifndef RS_AHEAD_H
#define RS_AHEAD_H

#include "lib/base/source.h"

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

/* Returns a reader of all bytes of BELOW that keeps the newest COUNT windows; COUNT is 1 or more.  Returns BELOW itself
   if its bytes are in memory.  Only one thread may use the reader, and AHEAD and WINDOWS must not move meanwhile. */
struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead, const struct rossym_reader *below,
				     struct rs_ahead_window *windows, uint32_t count);

#endif
