// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/outer.h"
#include "lib/base/array.h"
#include "lib/base/alloc.h"

#include "compat/hash.h"

static uint32_t frame_hash(const struct debuginfo_frame *frame)
{
	const uint64_t call = hash_number(0, (uint64_t)frame->file << 32 | frame->line);
	return (uint32_t)hash_number(call, (uint64_t)frame->function << 32 | frame->next);
}

/* Make the hash table twice as large. */
static int grow_slots(struct reading *reading)
{
	const struct debuginfo *di = reading->di;
	uint32_t slot_count = reading->frame_slot_count ? reading->frame_slot_count * 2 : 1024;
	uint32_t *slots = slot_count ? rs_alloc(slot_count, sizeof *slots) : NULL;
	if (!slots)
		return reading_memory(reading);
	for (uint32_t i = 0; i < di->frame_count; i++) {
		uint32_t at = frame_hash(&di->frames[i]) & (slot_count - 1);
		while (slots[at])
			at = (at + 1) & (slot_count - 1);
		slots[at] = i + 1;
	}
	rs_free(reading->frame_slots);
	reading->frame_slots = slots;
	reading->frame_slot_count = slot_count;
	return 0;
}

int outer_frame(struct reading *reading, const struct debuginfo_frame *frame, uint32_t *ret)
{
	struct debuginfo *di = reading->di;
	if (di->frame_count >= reading->frame_slot_count / 2 && grow_slots(reading) < 0)
		return -1;
	uint32_t *slots = reading->frame_slots, at = frame_hash(frame) & (reading->frame_slot_count - 1);
	for (; slots[at]; at = (at + 1) & (reading->frame_slot_count - 1)) {
		const struct debuginfo_frame *other = &di->frames[slots[at] - 1];
		if (other->function == frame->function && other->file == frame->file && other->line == frame->line &&
		    other->next == frame->next) {
			*ret = slots[at] - 1;
			return 0;
		}
	}
	if (rs_array_grow(&di->frames, &reading->frame_room, di->frame_count, sizeof *di->frames) < 0)
		return reading_memory(reading);
	*ret = di->frame_count;
	di->frames[di->frame_count++] = *frame;
	slots[at] = di->frame_count;
	return 0;
}
