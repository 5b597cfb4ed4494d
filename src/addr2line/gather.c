// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "addr2line/gather.h"
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
static bool grow(struct gather *gather)
{
	enum { FIRST_ROOM = 64 };
	size_t room = gather->room ? gather->room * 2 : FIRST_ROOM;
	uint64_t *rvas = realloc(gather->rvas, room * sizeof *rvas);
	gather->rvas = rvas ? rvas : gather->rvas;
	uint64_t *weights = realloc(gather->weights, room * sizeof *weights);
	gather->weights = weights ? weights : gather->weights;
	struct rossym_frame *frames = realloc(gather->frames, room * sizeof *frames);
	gather->frames = frames ? frames : gather->frames;
	if (!rvas || !weights || !frames)
		return false;
	gather->room = room;
	return true;
}

bool gather_add(struct gather *gather, uint64_t rva, uint64_t weight)
{
	if (gather->count == gather->room && !grow(gather))
		return diag_out_of_memory();
	gather->rvas[gather->count] = rva;
	gather->weights[gather->count++] = weight;
	return true;
}

bool gather_look_up(struct gather *gather, size_t *count)
{
	const struct query_rules *rules = gather->rules;
	struct rossym_error err;
	*count = gather->count;
	gather->count = 0;
	if (rossym_lookup_many(rules->image, gather->rvas, *count, gather->flags, gather->frames, &err) == 0)
		return true;
	diag_image(rules->path, &err);
	return false;
}

void gather_clear(struct gather *gather)
{
	free(gather->rvas);
	free(gather->weights);
	free(gather->frames);
}
