/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h - writes a number as decimal or hexadecimal text, eight digits at a time
 *
 * This is for the loop that prints every answer.  The digits are computed as the bytes of one 64-bit number, without a
 * loop over them and without branches that a processor would predict wrongly.  out_decimal() is the simple way, digit
 * by digit: with it, rossym-addr2line takes 1.3 times as long for a million addresses.
 */
#ifndef TOOL_DIGITS_H
#define TOOL_DIGITS_H

#include <stdint.h>
#include <string.h>

/* Write the 8 bytes of X at P, the least significant first. */
static inline void digits_store(char *p, uint64_t x)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	memcpy(p, &x, sizeof x);
#else
	for (int i = 0; i < 8; i++)
		p[i] = (char)(x >> 8 * i);
#endif
}

/* PAIR is two numbers below 10,000, in its low and its high 32 bits.  Returns the 4 decimal digits of each in the same
   half, one digit in a byte, the first digit in the lowest byte. */
static inline uint64_t decimal_spread_digits(uint64_t pair)
{
	/* Divide both numbers by 100, then the four results by 10.  The factors are 2^20 / 100 and 2^10 / 10, rounded
	   up: that is exact for such small numbers. */
	uint64_t high = pair * 10486 >> 20 & UINT64_C(0x0000007f0000007f);
	const uint64_t x = high | (pair - high * 100) << 16;
	high = x * 103 >> 10 & UINT64_C(0x000f000f000f000f);
	return high | (x - high * 10) << 8;
}

/* Returns how many bytes of X are 0 below its lowest byte that is not 0; X must not be 0. */
static inline unsigned digits_count_zero_bytes(uint64_t x)
{
#ifdef __GNUC__
	return (unsigned)__builtin_ctzll(x) / 8;
#else
	unsigned zeros = 0;
	for (; !(x & 0xff); x >>= 8)
		zeros++;
	return zeros;
#endif
}

enum { DIGITS_FOUR = 10000, DIGITS_EIGHT = 100000000 };

/* Write NUMBER, of at most 8 digits, at P, where there must be room for 8 bytes; returns its end. */
static inline char *decimal_put_short(char *p, uint32_t number)
{
	/* Most line numbers have at most four digits.  Bit 24 is in the byte of the last digit: setting it keeps this
	   digit from counting as a leading zero if the number is 0. */
	if (number < DIGITS_FOUR) {
		const uint32_t digits = (uint32_t)decimal_spread_digits(number);
		const unsigned zeros = digits_count_zero_bytes(digits | UINT32_C(1) << 24);
		digits_store(p, (digits | UINT32_C(0x30303030)) >> 8 * zeros);
		return p + (4 - zeros);
	}
	const uint64_t digits = decimal_spread_digits(number / DIGITS_FOUR | (uint64_t)(number % DIGITS_FOUR) << 32);
	const unsigned zeros = digits_count_zero_bytes(digits);
	digits_store(p, (digits | UINT64_C(0x3030303030303030)) >> 8 * zeros);
	return p + (8 - zeros);
}

/* Write NUMBER at P, where there must be room for 10 bytes; returns its end. */
static inline char *decimal_put(char *p, uint32_t number)
{
	if (number < DIGITS_EIGHT)
		return decimal_put_short(p, number);
	p = decimal_put_short(p, number / DIGITS_EIGHT);
	number %= DIGITS_EIGHT;
	digits_store(p, decimal_spread_digits(number / DIGITS_FOUR | (uint64_t)(number % DIGITS_FOUR) << 32) |
				UINT64_C(0x3030303030303030));
	return p + 8;
}

/* Write NUMBER as 8 hexadecimal digits at P, in lower case. */
static inline void hex_put_eight(char *p, uint32_t number)
{
	/* Spread the digits: one in each byte, the first in the lowest. */
	uint64_t x = number;
	x = x >> 16 | (x & 0xffff) << 32;
	x = (x >> 8 & UINT64_C(0x000000ff000000ff)) | (x & UINT64_C(0x000000ff000000ff)) << 16;
	x = (x >> 4 & UINT64_C(0x000f000f000f000f)) | (x & UINT64_C(0x000f000f000f000f)) << 8;
	/* Adding 6 sets bit 4 in bytes of 10 and more; to these bytes, "a" - 10 is added in place of "0". */
	const uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
	digits_store(p, x + UINT64_C(0x3030303030303030) + letters * ('a' - 10 - '0'));
}

/* Write the lowest DIGITS hexadecimal digits of NUMBER at P; returns their end.  DIGITS is 1 to 16, but there must
   always be room for 16 bytes, because 16 are written. */
static inline char *hex_put(char *p, uint64_t number, int digits)
{
	number <<= 64 - 4 * digits;
	hex_put_eight(p, (uint32_t)(number >> 32));
	hex_put_eight(p + 8, (uint32_t)number);
	return p + digits;
}

/* Returns how many hexadecimal digits NUMBER has, at least 1. */
static inline int hex_digit_count(uint64_t number)
{
	int digits = 1;
	while (number >>= 4)
		digits++;
	return digits;
}

#endif
