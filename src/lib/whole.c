// SPDX-License-Identifier: GPL-2.0-or-later
/* whole.c - whole strings in place of those that were cut for the table */
#include "config.h"
#include "lib/image.h"

/* The values of image->short_state.  NEVER: no answer has kept a cut string.  WRITING: the first thread that gave such
   an answer is writing why_short.  WRITTEN: why_short is valid. */
enum { NEVER, WRITING, WRITTEN };

void rs_frame_make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file)
{
	const char *whole_function = frame->function ? rs_block_whole(block, function) : NULL;
	const char *whole_file = frame->file ? rs_block_whole(block, file) : NULL;
	if (whole_function)
		rs_frame_set_function(frame, whole_function);
	if (whole_file)
		rs_frame_set_file(frame, whole_file);
}

/* Store WHY an answer has a cut string, unless a reason is stored already. */
static void note_cut_string(struct rossym_image *image, const struct rossym_error *why)
{
	int never = NEVER;
	if (!atomic_compare_exchange_strong_explicit(&image->short_state, &never, WRITING, memory_order_relaxed,
						     memory_order_relaxed))
		return;
	image->why_short = *why;
	atomic_store_explicit(&image->short_state, WRITTEN, memory_order_release);
}

void rs_frame_make_whole_if_cut(struct rossym_image *image, struct rossym_frame *frame, uint32_t function,
				uint32_t file)
{
	struct rossym_error err;
	if (!rs_image_may_be_cut(image, function) && !rs_image_may_be_cut(image, file))
		return;
	const struct rs_block *block = rs_image_block(image, &err);
	if (!block)
		note_cut_string(image, &err);
	else if (block->state == RS_BLOCK_DAMAGED)
		note_cut_string(image, &block->why);
	else
		rs_frame_make_whole(frame, block, function, file);
}

int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why)
{
	if (atomic_load_explicit(&image->short_state, memory_order_acquire) != WRITTEN)
		return 0;
	if (why)
		*why = image->why_short;
	return 1;
}
