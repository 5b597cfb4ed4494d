// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/gather.h"
#include "tool/array.h"
#include "tool/diag.h"

#include <stdlib.h>

bool gather_expect(struct gather *gather, uint64_t count)
{
	struct rossym_error err;
	gather->lookups += count;
	if (rossym_prepare_for(gather->rules->image, gather->lookups, &err) >= 0)
		return true;
	diag_image(gather->rules->path, &err);
	return false;
}

/* Double the room of all three arrays.  False: no memory. */
static bool grow_arrays(struct gather *gather)
{
	enum { FIRST_ROOM = 64 };
	size_t room = gather->room ? gather->room * 2 : FIRST_ROOM;
	uint64_t *rvas = realloc(gather->rvas, room * sizeof *rvas);
	gather->rvas = rvas ? rvas : gather->rvas;
	uint64_t *weights = realloc(gather->weights, room * sizeof *weights);
	gather->weights = weights ? weights : gather->weights;
	uint32_t *ends = realloc(gather->ends, room * sizeof *ends);
	gather->ends = ends ? ends : gather->ends;
	if (!rvas || !weights || !ends)
		return false;
	gather->room = room;
	return true;
}

bool gather_add(struct gather *gather, uint64_t rva, uint64_t weight)
{
	if (gather->count == gather->room && !grow_arrays(gather))
		return diag_out_of_memory();
	gather->rvas[gather->count] = rva;
	gather->weights[gather->count++] = weight;
	return true;
}

/* Make room for COUNT frames.  False: no memory. */
static bool make_frame_room(struct gather *gather, size_t count)
{
	struct rossym_frame *frames = array_for(gather->frames, &gather->frame_room, count, sizeof *frames);
	gather->frames = frames ? frames : gather->frames;
	return frames;
}

static bool print_error(const struct gather *gather, const struct rossym_error *err)
{
	diag_image(gather->rules->path, err);
	return false;
}

/* Look up one frame of each of COUNT addresses.  Returns false after a message. */
static bool look_up_single(struct gather *gather, size_t count)
{
	struct rossym_error err;
	if (!make_frame_room(gather, count))
		return diag_out_of_memory();
	for (uint32_t i = 0; i < count; i++)
		gather->ends[i] = i + 1;
	return rossym_lookup_many(gather->rules->image, gather->rvas, count, gather->flags, gather->frames, &err) ==
		       0 ||
	       print_error(gather, &err);
}

/* Look up all frames of COUNT addresses, of as many addresses at a time as there is room for.  Returns
   false after a message. */
static bool look_up_frames(struct gather *gather, size_t count)
{
	struct rossym_error err;
	uint32_t used = 0;
	for (size_t done = 0; done < count;) {
		if (!make_frame_room(gather, (size_t)used + ROSSYM_FRAMES_MAX + (count - done)))
			return diag_out_of_memory();
		const size_t left = gather->frame_room - used;
		const int some = rossym_lookup_frames(
			gather->rules->image, gather->rvas + done, count - done, gather->flags, gather->frames + used,
			left < UINT32_MAX - used ? (uint32_t)left : UINT32_MAX - used, gather->ends + done, &err);
		if (some < 0)
			return print_error(gather, &err);
		if (some == 0)
			return diag_out_of_memory();
		for (int i = 0; i < some; i++)
			gather->ends[done++] += used;
		used = gather->ends[done - 1];
	}
	return true;
}

bool gather_look_up(struct gather *gather, size_t *count)
{
	*count = gather->count;
	gather->count = 0;
	return gather->inlines ? look_up_frames(gather, *count) : look_up_single(gather, *count);
}

void gather_clear(struct gather *gather)
{
	free(gather->rvas);
	free(gather->weights);
	free(gather->frames);
	free(gather->ends);
}
