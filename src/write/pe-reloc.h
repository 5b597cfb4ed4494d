/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pe-reloc.h - base relocations: the places that a loader patches when it does not load an image at its image base
 *
 * They come in blocks, one for each page.  A block is a header and entries of two bytes, padded to a multiple of four.
 * The entries for a removed section must be removed, too, or the loader would patch whatever is at these addresses
 * afterwards.
 */
#ifndef RS_PE_RELOC_H
#define RS_PE_RELOC_H

#include "write/ranges.h"

struct rs_relocations {
	uint8_t *bytes;	  /* with room for all blocks */
	uint32_t size;	  /* bytes written, at least one */
	uint32_t dropped; /* entries that were left out */
};

/*
 * Copy SIZE bytes of blocks to TO, whose bytes the caller has allocated, without the entries for addresses in REMOVED.
 * Blocks that lose no entry are copied unchanged.  OFFSET is the blocks' offset in the file, for messages.  Returns 0,
 * or -1: ROSSYM_EREFUSED for a block with an impossible size.
 */
int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *removed,
			  struct rs_relocations *to, struct rossym_error *err);

#endif
