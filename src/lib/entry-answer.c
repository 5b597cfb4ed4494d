// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/entry-answer.h"

void rs_entry_answer_any(struct rossym_image *image, const struct rs_index *index, const struct rs_entry_answer *entry,
			 uint32_t at, struct rossym_frame *frame)
{
	frame->line = entry->line;
	frame->function = entry->function ? index->strings + entry->function : NULL;
	frame->file = entry->file ? index->strings + entry->file : NULL;
	frame->row_rva = at;
	frame->function_length = rs_index_length(index, entry->function, entry->function_length);
	frame->file_length = rs_index_length(index, entry->file, entry->file_length);
	if (image->whole)
		rs_frame_make_whole_if_cut(image, frame, entry->function, entry->file);
}
