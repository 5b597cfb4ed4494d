/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * decimal.h - a number as text, without a branch that a processor would have to guess
 *
 * Inline, for it stands in the loop that every answer goes through.
 */
#ifndef TOOL_DECIMAL_H
#define TOOL_DECIMAL_H

#include <stdint.h>
#include <string.h>

/*
 * Digits side by side in one number, the first in the lowest byte.  Numbers are cut in halves, several at once: with the
 * quotient q of n, q | (n - q * d) << s is the same as (n << s) - q * ((d << s) - 1).
 */
static inline uint32_t decimal_four(uint32_t number)
{
	uint32_t hundreds = number * 5243 >> 19;
	uint32_t pairs = (number << 16) - hundreds * ((100 << 16) - 1);
	uint32_t tens = (pairs * 103 >> 10) & UINT32_C(0x000f000f);
	return (pairs << 8) - tens * ((10 << 8) - 1);
}

static inline uint64_t decimal_eight(uint32_t number)
{
	uint64_t halves = ((uint64_t)number << 32) - number / 10000 * ((UINT64_C(10000) << 32) - 1);
	uint64_t hundreds = (halves * 5243 >> 19) & UINT64_C(0x0000007f0000007f);
	uint64_t pairs = (halves << 16) - hundreds * ((100 << 16) - 1);
	uint64_t tens = (pairs * 103 >> 10) & UINT64_C(0x000f000f000f000f);
	return (pairs << 8) - tens * ((10 << 8) - 1);
}

/* The lowest byte of TEXT first. */
static inline void decimal_store(char *p, uint64_t text)
{
#ifndef WORDS_BIGENDIAN
	memcpy(p, &text, sizeof text);
#else
	for (int i = 0; i < 8; i++)
		p[i] = (char)(text >> 8 * i);
#endif
}

/* How many bytes of DIGITS, from the lowest on, are 0; it is not 0. */
static inline unsigned decimal_zeros(uint64_t digits)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(digits) / 8;
#else
	unsigned zeros = 0;
	while ((digits >> (8 * zeros) & 0xff) == 0)
		zeros++;
	return zeros;
#endif
}

/* Write NUMBER, below DECIMAL_SHORT, at P, where there is room for 8 bytes; returns its end. */
enum { DECIMAL_SHORT = 100000000 };

static inline char *decimal_put_short(char *p, uint32_t number)
{
	/* How many digits there are is not to be guessed from one number to the next: no branches but one for what is the same
	   in most of a file. */
	if (number < 10000) {
		uint32_t digits = decimal_four(number);
		unsigned zeros = decimal_zeros(digits | UINT32_C(1) << 24);
		decimal_store(p, (digits | UINT32_C(0x30303030)) >> (8 * zeros));
		return p + 4 - zeros;
	}
	uint64_t digits = decimal_eight(number);
	unsigned zeros = decimal_zeros(digits);
	decimal_store(p, (digits | UINT64_C(0x3030303030303030)) >> (8 * zeros));
	return p + 8 - zeros;
}

/* The same for any number, with room for 16 bytes. */
static inline char *decimal_put(char *p, uint32_t number)
{
	if (number < DECIMAL_SHORT)
		return decimal_put_short(p, number);
	uint32_t high = number / DECIMAL_SHORT;		/* at most 42 */
	if (high >= 10)
		*p++ = (char)('0' + high / 10);
	*p++ = (char)('0' + high % 10);
	decimal_store(p, decimal_eight(number % DECIMAL_SHORT) | UINT64_C(0x3030303030303030));
	return p + 8;
}

#endif
