// SPDX-License-Identifier: GPL-2.0-or-later
/* inlined.c - the public functions about the block: the frames around inlined calls, and functions */
#include "config.h"
#include "lib/demand.h"
#include "lib/sized.h"
#include "lib/table.h"

#include <inttypes.h>

int rossym_read_block(struct rossym_image *image, struct rossym_block *ret, struct rossym_error *err)
{
	if ((ret && rs_sized_check(ret, sizeof *ret, err) < 0) || !(image = rs_image_for_all(image, err)))
		return -1;
	const struct rs_block *block = rs_image_block(image, err);
	if (!block)
		return -1;
	if (block->state == RS_BLOCK_ABSENT)
		return 0;
	if (block->state == RS_BLOCK_DAMAGED) {
		if (err)
			*err = block->why;
		return -1;
	}
	const struct rossym_block facts = {
		.offset = block->parts.place,
		.length = block->parts.size,
		.frames = block->parts.frames.count,
		.runs = block->parts.runs.count,
		.functions = block->parts.functions.count,
		.long_strings = block->parts.longs.count,
		.strings_size = block->parts.strings.length,
		.entry_outer = block->parts.inner,
	};
	if (ret)
		rs_sized_give(ret, &facts, sizeof facts);
	return 1;
}

/* The states of struct rossym_frames: what comes next. */
enum { FRAMES_ENTRY, FRAMES_CHAIN, FRAMES_NONE };

static void begin_frames(struct rossym_frames *frames, const struct rs_block *block, uint32_t first)
{
	frames->next = first;
	frames->state = first != RS_BLOCK_NONE && block->parts.inner ? FRAMES_CHAIN : FRAMES_ENTRY;
}

/* The offset of a string that the table has; of others a number that is no offset. */
static uint32_t offset_of(const struct rossym_image *image, const char *string)
{
	return string ? rs_segments_offset(&image->strings, string) : UINT32_MAX;
}

int rossym_frames_begin(struct rossym_image *image, const struct rossym_frame *frame, struct rossym_frames *frames,
			struct rossym_error *err)
{
	if (image->demand)
		image = rs_demand_owner(image, frame);
	const struct rs_block *block = rs_image_block(image, err);
	if (!block)
		return -1;
	struct rossym_frame entry = *frame;
	uint32_t first = RS_BLOCK_NONE;
	if (block->state == RS_BLOCK_SOUND) {
		first = rs_block_chain_at(block, entry.row_rva);
		if (block->parts.longs.count > 0)
			rs_frame_make_whole(&entry, block, offset_of(image, entry.function), offset_of(image, entry.file));
	}
	frames->image = image;
	frames->entry = entry;
	begin_frames(frames, block, first);
	return 0;
}

int rossym_frames_begin_row(struct rossym_image *image, uint32_t number, struct rossym_frames *frames,
			    struct rossym_error *err)
{
	if (!(image = rs_image_for_all(image, err)))
		return -1;
	if (number >= image->core.table.row_count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no row %" PRIu32, number);
	const struct rs_block *block = rs_image_block(image, err);
	const struct rs_table *table = &image->core.table;
	const char *strings = block ? rs_segments_padded(&image->strings, err) : NULL;
	struct rs_row row;
	if (!strings || rs_table_read(table, number, 1, &row, err) < 0)
		return -1;
	const char *function = rs_table_string(table, strings, row.function);
	const char *file = rs_table_string(table, strings, row.file);
	if (!function || !file)
		return rs_fail(err, ROSSYM_EDAMAGED, table->offset, "row %" PRIu32 " has strings outside the table",
			       number);
	struct rossym_frame entry = { .line = row.line, .row_rva = (uint32_t)row.address };
	rs_frame_set_function(&entry, function);
	rs_frame_set_file(&entry, file);
	if (block->state == RS_BLOCK_SOUND)
		rs_frame_make_whole(&entry, block, row.function, row.file);
	frames->image = image;
	frames->entry = entry;
	begin_frames(frames, block, block->state == RS_BLOCK_SOUND ? rs_block_chain_of(block, number) : RS_BLOCK_NONE);
	return 0;
}

int rossym_frames_next(struct rossym_frames *frames, struct rossym_frame *ret)
{
	if (frames->state == FRAMES_NONE)
		return 0;
	const struct rs_block *block = atomic_load_explicit(&frames->image->block, memory_order_acquire);
	struct rossym_frame result = frames->entry;
	if (frames->state == FRAMES_CHAIN) {
		struct rs_outer frame = rs_block_frame(block, frames->next);
		rs_frame_set_function(&result, rs_block_string(block, frame.function));
		rs_frame_set_file(&result, rs_block_string(block, frame.file));
		result.line = frame.line;
		frames->next = frame.next;
	}
	/* The entry stands at the other end of the chain if the frames are inside it. */
	if (frames->next != RS_BLOCK_NONE)
		frames->state = FRAMES_CHAIN;
	else
		frames->state = frames->state == FRAMES_CHAIN && block->parts.inner ? FRAMES_ENTRY : FRAMES_NONE;
	*ret = result;
	return 1;
}

void rossym_functions_begin(struct rossym_image *image, struct rossym_functions *functions)
{
	functions->image = image;
	functions->next = 0;
}

int rossym_functions_next(struct rossym_functions *functions, struct rossym_function *ret, struct rossym_error *err)
{
	struct rossym_image *image = rs_image_for_all(functions->image, err);
	const struct rs_block *block = image ? rs_image_block(image, err) : NULL;
	if (!block)
		return -1;
	if (functions->next >= block->parts.functions.count)
		return 0;
	struct rs_block_func function = rs_block_func(block, (uint32_t)functions->next++);
	*ret = (struct rossym_function){ .name = rs_block_string(block, function.name), .rva = function.rva, .places = 1,
					 .length = function.length };
	return 1;
}

int rossym_function_at(struct rossym_image *image, uint64_t rva, struct rossym_function *ret, struct rossym_error *err)
{
	const struct rs_block *block = (image = rs_image_for(image, &rva, 1, err)) ? rs_image_block(image, err) : NULL;
	if (!block)
		return -1;
	struct rs_block_func found;
	uint32_t places;
	if (!rs_block_func_at(block, rva, &found, &places))
		return 0;
	*ret = (struct rossym_function){ .name = rs_block_string(block, found.name), .rva = found.rva, .places = places,
					 .length = found.length };
	return 1;
}
