/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block-write.h - the bytes of the extension block of a table that is being made */
#ifndef RS_BLOCK_WRITE_H
#define RS_BLOCK_WRITE_H

#include "write/block-content.h"

struct rs_block_made {
	uint8_t *bytes; /* to be rs_free()d; NULL if there is nothing to write */
	uint32_t size;
	uint32_t frames, runs, functions, names, long_strings;
};

/* Make the block of CONTENT, in which the caller has set the fields that block-content.h names.  Frees the memory of
   CONTENT.  The two checksums stay 0 until rs_block_seal().  Returns 0; or -1: ROSSYM_ENOMEM, or ROSSYM_EREFUSED for a
   block of 4 GiB or more. */
int rs_block_make(struct rs_block_content *content, struct rs_block_made *ret, struct rossym_error *err);

/* Store in BLOCK, which has SIZE bytes, the checksums of TABLE, which has TABLE_SIZE bytes, and of BLOCK.  Neither may
   change after that. */
void rs_block_seal(uint8_t *block, uint32_t size, const uint8_t *table, size_t table_size);

/* Returns SIZE zeros for a table, to be rs_free()d; or NULL: no memory, or the table has 4 GiB or more. */
uint8_t *rs_table_alloc(uint64_t size, struct rossym_error *err);

#endif
