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

static uint32_t hash_frame(const struct rs_frame *frame)
{
	const uint64_t call = hash_number(0, (uint64_t)frame->file << 32 | frame->line);
	return (uint32_t)hash_number(call, (uint64_t)frame->function << 32 | frame->next);
}

/* Returns the slot that has FRAME; or, if no equal frame was added yet, the free slot where it
   belongs.  HASH is hash_frame(FRAME). */
static struct hash_slot *find_frame_slot(const struct rs_frames *frames, const struct rs_frame *frame, uint32_t hash)
{
	for (uint32_t at = hash;;) {
		struct hash_slot *slot = hash_next(&frames->table, hash, &at);
		const struct rs_frame *other = slot->number ? &frames->items[slot->number - 1] : NULL;
		if (!other || (other->function == frame->function && other->file == frame->file &&
			       other->line == frame->line && other->next == frame->next))
			return slot;
	}
}

/* Make room for one more frame.  Returns 0 or -1. */
static int grow(struct rs_frames *frames, struct rossym_error *err)
{
	if (frames->count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more inlined calls than a table can have");
	return !hash_make_room(&frames->table, rs_alloc, rs_free) ||
			       rs_array_grow(&frames->items, &frames->room, frames->count, sizeof *frames->items) < 0
		       ? rs_fail_memory(err)
		       : 0;
}

int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err)
{
	if (grow(frames, err) < 0)
		return -1;
	const uint32_t hash = hash_frame(&frame);
	struct hash_slot *slot = find_frame_slot(frames, &frame, hash);
	if (slot->number == 0) {
		frame.depth = frame.next ? frames->items[frame.next - 1].depth + 1 : 1;
		if (frame.depth > RS_CHAIN_MAX)
			return rs_fail(err, ROSSYM_EREFUSED, 0, "calls inlined into one another more than %d times",
				       RS_CHAIN_MAX);
		frames->items[frames->count++] = frame;
		hash_put(&frames->table, slot, frames->count, hash);
	}
	*ret = slot->number;
	return 0;
}

int rs_frames_add_caller(struct rs_frames *frames, struct rs_frame caller, uint32_t *ret, struct rossym_error *err)
{
	if (caller.next && frames->items[caller.next - 1].depth >= RS_CALLERS_MAX)
		caller.next = frames->items[caller.next - 1].next;
	return rs_frames_add(frames, caller, ret, err);
}
