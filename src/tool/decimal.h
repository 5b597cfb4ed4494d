/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decimal.h - a number as text, without a branch that a processor would have to guess
 *
 * Inline, for it stands in the loop that every answer goes through.
 */
#ifndef TOOL_DECIMAL_H
#define TOOL_DECIMAL_H

#include <stdint.h>

/* Eight digits side by side in one number, the first in the lowest byte: halves, then pairs, then single digits. */
static inline uint64_t decimal_eight(uint32_t number)
{
	uint64_t halves = number / 10000 | (uint64_t)(number % 10000) << 32;
	uint64_t hundreds = (halves * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
	uint64_t pairs = hundreds | (halves - hundreds * 100) << 16;
	uint64_t tens = (pairs * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return tens | (pairs - tens * 10) << 8;
}

/* The lowest byte of TEXT first; written so that compilers make one store of it. */
static inline void decimal_store(char *p, uint64_t text)
{
	p[0] = (char)text;
	p[1] = (char)(text >> 8);
	p[2] = (char)(text >> 16);
	p[3] = (char)(text >> 24);
	p[4] = (char)(text >> 32);
	p[5] = (char)(text >> 40);
	p[6] = (char)(text >> 48);
	p[7] = (char)(text >> 56);
}

/* How many of eight digits, from the first on, are 0: seven at most. */
static inline unsigned decimal_zeros(uint64_t digits)
{
	digits |= UINT64_C(1) << 56;
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(digits) / 8;
#else
	unsigned zeros = 0;
	while ((digits >> (8 * zeros) & 0xff) == 0)
		zeros++;
	return zeros;
#endif
}

/* Write NUMBER at P, where there is room for 16 bytes; returns its end. */
static inline char *decimal_put(char *p, uint32_t number)
{
	const uint32_t eight = 100000000;
	/* How many digits there are is not to be guessed from one number to the next: no branches but for very long ones. */
	if (number < eight) {
		uint64_t digits = decimal_eight(number);
		unsigned zeros = decimal_zeros(digits);
		decimal_store(p, (digits | UINT64_C(0x3030303030303030)) >> (8 * zeros));
		return p + 8 - zeros;
	}
	uint32_t high = number / eight;		/* at most 42 */
	if (high >= 10)
		*p++ = (char)('0' + high / 10);
	*p++ = (char)('0' + high % 10);
	decimal_store(p, decimal_eight(number % eight) | UINT64_C(0x3030303030303030));
	return p + 8;
}

#endif
