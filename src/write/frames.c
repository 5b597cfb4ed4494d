// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/frames.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include "compat/hash.h"

#include <string.h>

void rs_frames_clear(struct rs_frames *frames)
{
	rs_free(frames->items);
	rs_free(frames->slots);
	memset(frames, 0, sizeof *frames);
}

static uint32_t hash(const struct rs_frame *frame)
{
	const uint64_t call = hash_number(0, (uint64_t)frame->file << 32 | frame->line);
	return (uint32_t)hash_number(call, (uint64_t)frame->function << 32 | frame->next);
}

/* Return the slot that has FRAME, or the free slot for it.  At least half of the slots are free, so there is one. */
static uint32_t *find(const struct rs_frames *frames, const struct rs_frame *frame)
{
	uint32_t mask = frames->slot_count - 1;
	for (uint32_t at = hash(frame) & mask;; at = (at + 1) & mask) {
		uint32_t *slot = &frames->slots[at];
		const struct rs_frame *other = *slot ? &frames->items[*slot - 1] : NULL;
		if (!other || (other->function == frame->function && other->file == frame->file &&
			       other->line == frame->line && other->next == frame->next))
			return slot;
	}
}

/* Make the hash table twice as large. */
static int grow_slots(struct rs_frames *frames, struct rossym_error *err)
{
	enum { FIRST_SLOTS = 1024 };
	struct rs_frames larger = *frames;
	larger.slot_count = frames->slot_count ? frames->slot_count * 2 : FIRST_SLOTS;
	larger.slots = rs_alloc(larger.slot_count, sizeof *larger.slots);
	if (!larger.slots)
		return rs_fail_memory(err);
	for (uint32_t i = 0; i < frames->count; i++)
		*find(&larger, &frames->items[i]) = i + 1;
	rs_free(frames->slots);
	*frames = larger;
	return 0;
}

/* Make room for one more frame, and keep at least twice as many slots as frames. */
static int grow(struct rs_frames *frames, struct rossym_error *err)
{
	if (frames->count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more inlined calls than a table can have");
	if (frames->count >= frames->slot_count / 2 && grow_slots(frames, err) < 0)
		return -1;
	return rs_array_grow(&frames->items, &frames->room, frames->count, sizeof *frames->items) < 0
		       ? rs_fail_memory(err)
		       : 0;
}

int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err)
{
	if (grow(frames, err) < 0)
		return -1;
	uint32_t *slot = find(frames, &frame);
	if (*slot == 0) {
		frame.depth = frame.next ? frames->items[frame.next - 1].depth + 1 : 1;
		if (frame.depth > RS_CHAIN_MAX)
			return rs_fail(err, ROSSYM_EREFUSED, 0, "calls inlined into one another more than %d times",
				       RS_CHAIN_MAX);
		frames->items[frames->count++] = frame;
		*slot = frames->count;
	}
	*ret = *slot;
	return 0;
}
