/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * packed.h - a bare packed table whose checksums are right, so that what else is wrong with it is met
 */
#ifndef FUZZ_PACKED_H
#define FUZZ_PACKED_H

#include "core/bytes.h"
#include "core/layout.h"
#include "tests/lib/forms.h"

#include <string.h>

/* A copy of the SIZE bytes at DATA with right checksums, to be freed, if they are a bare packed table; else NULL. */
static inline uint8_t *packed_seal(const uint8_t *data, size_t size)
{
	if (size < RS_HEADER_SIZE || rs_le32(data) != RS_HEADER_SIZE || rs_le32(data + RS_HEADER_SYMBOLS_LENGTH) != 0)
		return NULL;
	const uint64_t end = (uint64_t)rs_le32(data + RS_HEADER_STRINGS_OFFSET) +
			     rs_le32(data + RS_HEADER_STRINGS_LENGTH);
	const uint64_t block = rs_align(end, 4);
	if (!rs_in_range(block, RS_BLOCK_CHUNKS, size) ||
	    memcmp(data + block, RS_BLOCK_MAGIC_PACKED, RS_BLOCK_LENGTH) != 0)
		return NULL;
	const uint32_t length = rs_le32(data + block + RS_BLOCK_LENGTH);
	if (length < RS_BLOCK_CHUNKS || length > size - block)
		return NULL;
	uint8_t *copy = exact_copy(data, size);
	forms_seal(copy, copy + block);
	return copy;
}

#endif
