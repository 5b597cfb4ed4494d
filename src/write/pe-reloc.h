/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-reloc.h - base relocations: the places that a loader patches when it does not load an image at its image base
 *
 * They come in blocks, one for each page: a header and entries of two bytes, padded to a multiple of four.  The entries
 * for a section that goes must go too, or the loader patches whatever is there then.
 */
#ifndef RS_PE_RELOC_H
#define RS_PE_RELOC_H

#include "write/ranges.h"

/*
 * Copy SIZE bytes of blocks to TO, which has room for as many, without the entries for addresses in GONE.  Blocks that
 * lose nothing are copied as they are.  OFFSET is the blocks' offset in the file, for messages.  Store the bytes
 * written, which are never 0, in *RET_SIZE, and the number of entries left out in *RET_DROPPED.  Returns 0, or -1:
 * ROSSYM_EREFUSED for a block with an impossible size.
 */
int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *gone,
			  uint8_t *to, uint32_t *ret_size, uint32_t *ret_dropped, struct rossym_error *err);

#endif
