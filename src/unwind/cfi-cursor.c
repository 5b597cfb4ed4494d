// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "unwind/cfi-cursor.h"
#include "core/bytes.h"

bool rs_cfi_bytes(struct cfi_cursor *cursor, void *bytes, uint32_t size)
{
	cursor->bad |= size > cursor->end - cursor->at ||
		       !cursor->space->read_image(cursor->space->context, cursor->base, cursor->at, bytes, size);
	if (!cursor->bad)
		cursor->at += size;
	return !cursor->bad;
}

void rs_cfi_skip(struct cfi_cursor *cursor, uint64_t size)
{
	cursor->bad |= size > cursor->end - cursor->at;
	if (!cursor->bad)
		cursor->at += (uint32_t)size;
}

uint64_t rs_cfi_unsigned(struct cfi_cursor *cursor, unsigned size)
{
	uint8_t bytes[8] = { 0 };
	return rs_cfi_bytes(cursor, bytes, size) ? rs_le64(bytes) : 0;
}

/* Read an LEB128 number.  *BITS becomes its number of bits, 7 for each byte.  With more than 63 bits, cursor->bad is
   set, and *BITS becomes 0. */
static uint64_t read_leb(struct cfi_cursor *cursor, unsigned *bits)
{
	uint64_t value = 0;
	for (*bits = 7; *bits <= 63; *bits += 7) {
		const uint64_t byte = rs_cfi_unsigned(cursor, 1);
		value |= (byte & 0x7f) << (*bits - 7);
		if (byte < 0x80)
			return value;
	}
	cursor->bad = true;
	*bits = 0;
	return 0;
}

uint64_t rs_cfi_uleb(struct cfi_cursor *cursor)
{
	unsigned bits;
	return read_leb(cursor, &bits);
}

int64_t rs_cfi_sleb(struct cfi_cursor *cursor)
{
	unsigned bits;
	const uint64_t value = read_leb(cursor, &bits);
	const bool negative = bits > 0 && value >> (bits - 1) & 1;
	return (int64_t)(negative ? value | UINT64_MAX << bits : value);
}
