// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/frame.h"

#include <string.h>

static void set_string(const char **text, uint32_t *length, const char *string)
{
	*text = *string ? string : NULL;
	*length = (uint32_t)strnlen(string, ROSSYM_LENGTH_MAX);
}

void rs_frame_set_function(struct rossym_frame *frame, const char *function)
{
	set_string(&frame->function, &frame->function_length, function);
}

void rs_frame_set_file(struct rossym_frame *frame, const char *file)
{
	set_string(&frame->file, &frame->file_length, file);
}

uint32_t rs_frame_of_block(const struct rs_block *block, uint32_t number, struct rossym_frame *ret)
{
	const struct rs_outer frame = rs_block_frame(block, number);
	rs_frame_set_function(ret, rs_block_string(block, frame.function));
	rs_frame_set_file(ret, rs_block_string(block, frame.file));
	ret->line = frame.line;
	return frame.next;
}

struct rossym_function rs_function_of_block(const struct rs_block *block, struct rs_block_func function,
					    uint32_t places)
{
	return (struct rossym_function){ .name = rs_block_string(block, function.name),
					 .rva = function.rva,
					 .places = places,
					 .length = function.length };
}
