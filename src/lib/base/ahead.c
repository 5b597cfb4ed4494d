// SPDX-License-Identifier: GPL-2.0-or-later
/* ahead.c - read windows, and keep the newest of them */
#include "config.h"
#include "lib/base/ahead.h"
#include "core/view.h"

#include <string.h>

/* Returns the window with the byte at OFFSET.  If none has it, reads a window in place of the oldest one.  NULL if that
   cannot be read. */
static const struct rs_ahead_window *find_or_read_window(struct rs_ahead *ahead, uint64_t offset)
{
	const struct rossym_reader *below = &ahead->below;
	struct rossym_fault unused;
	for (uint32_t i = 0; i < ahead->count; i++)
		if (offset >= ahead->windows[i].offset && offset - ahead->windows[i].offset < ahead->windows[i].length)
			return &ahead->windows[i];
	struct rs_ahead_window *window = &ahead->windows[ahead->oldest];
	window->offset = offset - offset % RS_AHEAD_SIZE;
	const uint64_t left = below->size - window->offset;
	const size_t length = left < RS_AHEAD_SIZE ? (size_t)left : RS_AHEAD_SIZE;
	window->length = 0;
	if (!rs_view(below, window->offset, length, window->bytes, &unused))
		return NULL;
	window->length = length;
	ahead->oldest = ahead->oldest + 1 < ahead->count ? ahead->oldest + 1 : 0;
	return window;
}

/* The function `read` of the reader that rs_ahead_reader() returns.  CONTEXT is the struct rs_ahead.  If a window
   cannot be read, the requested bytes may still be readable; and if not, the fault must name their offset.  So then
   read only these bytes. */
static int read_ahead(void *context, uint64_t offset, void *buffer, size_t length, struct rossym_fault *fault)
{
	struct rs_ahead *ahead = context;
	uint8_t *to = buffer;
	while (length > 0) {
		const struct rs_ahead_window *window = length <= RS_AHEAD_SIZE ? find_or_read_window(ahead, offset)
									       : NULL;
		if (!window)
			return rs_view(&ahead->below, offset, length, to, fault) ? 0 : -1;
		const size_t from = (size_t)(offset - window->offset);
		const size_t count = length < window->length - from ? length : window->length - from;
		memcpy(to, window->bytes + from, count);
		to += count;
		offset += count;
		length -= count;
	}
	return 0;
}

struct rossym_reader rs_ahead_reader(struct rs_ahead *ahead, const struct rossym_reader *below,
				     struct rs_ahead_window *windows, uint32_t count)
{
	*ahead = (struct rs_ahead){ *below, windows, count, 0 };
	for (uint32_t i = 0; i < count; i++)
		windows[i].offset = windows[i].length = 0;
	return below->memory ? *below : (struct rossym_reader){ NULL, below->size, read_ahead, ahead };
}
