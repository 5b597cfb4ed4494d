/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-reloc.h - base relocations: the places that a loader patches when an image is not loaded where it wants to be
 *
 * They come in blocks, one a page: a header and entries of two bytes, padded to a multiple of four.  When a section
 * goes, what the loader would patch in it must go too, or it patches whatever is there then.
 */
#ifndef RS_PE_RELOC_H
#define RS_PE_RELOC_H

#include "write/ranges.h"

/*
 * Copy SIZE bytes of blocks to TO, which has room for as many, without the entries for addresses in GONE; blocks that
 * lose nothing stay as they are.  OFFSET is where the blocks stand in the file, for messages.  *RET_SIZE is what was
 * written, never 0; *RET_DROPPED the number of entries that were not.
 */
int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *gone, uint8_t *to,
			  uint32_t *ret_size, uint32_t *ret_dropped, struct rossym_error *err);

#endif
