// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/pe-reloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of a block of relocations that has only padding. */
enum { EMPTY = 12 };

/* Copy a block of SIZE bytes without the entries for addresses in REMOVED, and add the number of these to *DROPPED.
   Returns the size of the new block; 0 if no entry stays. */
static uint32_t filter_block(const uint8_t *from, uint32_t size, const struct rs_ranges *removed, uint8_t *to,
			     uint32_t *dropped)
{
	uint32_t page = rs_le32(from), at = PE_RELOCATIONS_HEADER, end = PE_RELOCATIONS_HEADER, lost = 0, kept = 0;
	while (at + 2 <= size) {
		uint32_t entry = rs_le16(from + at), type = entry >> 12, length = 2;
		/* An entry of this type has the low half of its number in the next entry. */
		if (type == PE_RELOCATION_HIGHADJ && at + 4 <= size)
			length = 4;
		if (type != PE_RELOCATION_ABSOLUTE) {
			if (rs_ranges_contain(removed, (uint64_t)page + (entry & 0xfff))) {
				lost++;
			} else {
				memcpy(to + end, from + at, length);
				end += length;
				kept++;
			}
		}
		at += length;
	}
	*dropped += lost;
	if (lost == 0) {
		memcpy(to, from, size);
		return size;
	}
	if (kept == 0)
		return 0;
	if (end % 4 != 0) {
		rs_put16(to + end, PE_RELOCATION_ABSOLUTE << 12);
		end += 2;
	}
	rs_put32(to, page);
	rs_put32(to + 4, end);
	return end;
}

int rs_relocations_filter(const uint8_t *from, uint32_t size, uint64_t offset, const struct rs_ranges *removed,
			  struct rs_relocations *to, struct rossym_error *err)
{
	uint32_t at = 0, end = 0;
	to->dropped = 0;
	while (size - at >= PE_RELOCATIONS_HEADER) {
		uint32_t block = rs_le32(from + at + 4);
		if (block == 0)
			break; /* some linkers end the relocations with a size of 0 */
		if (block < PE_RELOCATIONS_HEADER || block > size - at)
			return rs_fail(err, ROSSYM_EREFUSED, offset + at + 4,
				       "a block of base relocations has 0x%" PRIx32 " bytes of 0x%" PRIx32, block,
				       size - at);
		end += filter_block(from + at, block, removed, to->bytes + end, &to->dropped);
		at += block;
	}
	memcpy(to->bytes + end, from + at, size - at);
	end += size - at;
	if (end == 0) {
		/* GNU ld writes one block of padding for an image that needs no relocations; do the same. */
		end = size < EMPTY ? size : EMPTY;
		memset(to->bytes, 0, end);
		rs_put32(to->bytes + 4, end);
	}
	to->size = end;
	return 0;
}
