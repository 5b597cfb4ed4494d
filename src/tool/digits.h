/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * digits.h - writes a number as decimal or hexadecimal text, six or eight digits at a time
 *
 * This is for the loop that prints every answer.  The digits become the bytes of one 64-bit number, without a loop over
 * them and without branches that a processor would predict wrongly.  out_decimal() is the simple way, digit
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

/* The three decimal digits of each number below 1,000, and then how many there are without leading zeros. */
enum { DIGITS_GROUP = 1000, DIGITS_TWO_GROUPS = DIGITS_GROUP * DIGITS_GROUP };
extern const unsigned char decimal_groups[DIGITS_GROUP][4];

/* Returns the item of NUMBER in decimal_groups, the first digit in the lowest byte. */
static inline uint32_t decimal_get_group(uint32_t number)
{
	const unsigned char *group = decimal_groups[number];
	return (uint32_t)group[0] | (uint32_t)group[1] << 8 | (uint32_t)group[2] << 16 | (uint32_t)group[3] << 24;
}

/* Returns the 6 digits of NUMBER, below DIGITS_TWO_GROUPS, one in a byte, the first in the lowest byte; and stores how
   many there are without leading zeros. */
static inline uint64_t decimal_get_digits(uint32_t number, unsigned *length)
{
	const uint32_t digits = UINT32_C(0xffffff), high = decimal_get_group(number / DIGITS_GROUP),
		       low = decimal_get_group(number % DIGITS_GROUP);
	*length = number < DIGITS_GROUP ? low >> 24 : 3 + (high >> 24);
	return (high & digits) | (uint64_t)(low & digits) << 24;
}

/* Write NUMBER, which has more than 6 digits, at P, where there must be room for 14 bytes; returns its end. */
char *decimal_put_long(char *p, uint32_t number);

/* As decimal_put_long(), of any NUMBER. */
static inline char *decimal_put(char *p, uint32_t number)
{
	unsigned length;
	if (number >= DIGITS_TWO_GROUPS)
		return decimal_put_long(p, number);
	const uint64_t digits = decimal_get_digits(number, &length);
	digits_store(p, digits >> 8 * (6 - length));
	return p + length;
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
