// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/entry-answer.h"

void rs_entry_answer_any(struct rossym_image *image, const struct rs_index *index, const struct rs_entry_answer *said,
			 uint32_t at, struct rossym_frame *frame)
{
	frame->line = said->line;
	frame->function = said->function ? index->strings + said->function : NULL;
	frame->file = said->file ? index->strings + said->file : NULL;
	frame->row_rva = at;
	frame->function_length = rs_index_length(index, said->function, said->function_length);
	frame->file_length = rs_index_length(index, said->file, said->file_length);
	if (image->whole)
		rs_frame_make_whole_if_cut(image, frame, said->function, said->file);
}
