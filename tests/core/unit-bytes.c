/* SPDX-License-Identifier: GPL-2.0-or-later */
/* src/core/bytes.h */
#include "config.h"

#include "core/bytes.h"
#include "tests/lib/tap.h"

/* The range test in the one way that is obviously right: count the bytes. */
static bool counted_in_range(unsigned offset, unsigned length, unsigned size)
{
	unsigned bytes_there = 0;

	for (unsigned i = offset; i < offset + length; i++)
		bytes_there += i < size;
	return offset <= size && bytes_there == length;
}

static void small_ranges(void)
{
	enum { MOST = 12 };
	unsigned wrong = 0;

	for (unsigned offset = 0; offset < MOST; offset++)
		for (unsigned length = 0; length < MOST; length++)
			for (unsigned size = 0; size < MOST; size++)
				wrong += rs_in_range(offset, length, size) != counted_in_range(offset, length, size);
	is_uint(wrong, 0, "every range of less than 12 bytes");
}

int main(void)
{
	/* One byte more than any number needs: p + 1 is aligned for nothing. */
	static const uint8_t p[] = { 0x99, 0xf1, 0xe2, 0xd3, 0xc4, 0xb5, 0xa6, 0x97, 0x88 };
	static const uint8_t ones[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	is_uint(rs_le16(p + 1), 0xe2f1, "16 bits, little-endian");
	is_uint(rs_le32(p + 1), 0xc4d3e2f1, "32 bits, the highest set");
	is_uint(rs_le64(p + 1), UINT64_C(0x8897a6b5c4d3e2f1), "64 bits, the highest set");
	is_uint(rs_le16(ones), UINT16_MAX, "16 ones");
	is_uint(rs_le32(ones), UINT32_MAX, "32 ones");
	is_uint(rs_le64(ones), UINT64_MAX, "64 ones");

	small_ranges();
	ok(rs_in_range(UINT64_MAX, 0, UINT64_MAX), "nothing at the end of everything");
	ok(rs_in_range(0, UINT64_MAX, UINT64_MAX), "everything");
	ok(!rs_in_range(1, UINT64_MAX, UINT64_MAX), "one byte too many, where the sum overflows");
	ok(!rs_in_range(UINT64_MAX, 1, UINT64_MAX), "one byte behind the end, where the sum overflows");
	ok(!rs_in_range(UINT64_MAX, UINT64_MAX, 16), "two numbers whose sum is small again");
	ok(!rs_in_range(17, 0, 16), "no bytes, but behind the end");
	return done_testing();
}
