// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/frames.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <string.h>

void rs_frames_clear(struct rs_frames *frames)
{
	rs_free(frames->items);
	rs_free(frames->table.slots);
	memset(frames, 0, sizeof *frames);
}

int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err)
{
	frame.depth = frame.next ? frames->items[frame.next - 1].depth + 1 : 1;
	if (frame.depth > RS_CHAIN_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "calls inlined into one another more than %d times",
			       RS_CHAIN_MAX);
	if (frames->count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more inlined calls than a table can have");
	if (rs_array_intern(&frames->items, &frames->room, &frames->count, &frames->table, &frame,
			    offsetof(struct rs_frame, depth), sizeof frame, ret) < 0)
		return rs_fail_memory(err);
	return 0;
}

int rs_frames_add_caller(struct rs_frames *frames, struct rs_frame caller, uint32_t *ret, struct rossym_error *err)
{
	if (caller.next && frames->items[caller.next - 1].depth >= RS_CALLERS_MAX)
		caller.next = frames->items[caller.next - 1].next;
	return rs_frames_add(frames, caller, ret, err);
}
