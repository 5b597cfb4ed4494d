/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frame.h - makes the frames and functions that callers of the library get */
#ifndef RS_FRAME_H
#define RS_FRAME_H

#include "lib/table/block.h"

/* Set the function, or the file, of FRAME, and its length.  An empty string becomes NULL. */
void rs_frame_set_function(struct rossym_frame *frame, const char *function);
void rs_frame_set_file(struct rossym_frame *frame, const char *file);

/* Store frame NUMBER of BLOCK in *RET, all fields but row_rva.  Returns the number of the next frame of
   its chain, or RS_BLOCK_NONE. */
uint32_t rs_frame_of_block(const struct rs_block *block, uint32_t number, struct rossym_frame *ret);

/* Returns FUNCTION of BLOCK in its public form, with PLACES in the field `places`. */
struct rossym_function rs_function_of_block(const struct rs_block *block, struct rs_block_func function,
					    uint32_t places);

#endif
