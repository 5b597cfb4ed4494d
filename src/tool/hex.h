/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hex.h - write a number as hexadecimal text, eight digits at a time
 *
 * This is for the loop that prints every answer: with a step for each digit, as out_hex() does it, addresses of 16
 * digits take 4 times as many instructions.
 */
#ifndef TOOL_HEX_H
#define TOOL_HEX_H

#include <stdint.h>
#include <string.h>

/* Write the 8 digits of NUMBER at P, in lower case. */
static inline void hex_put_eight(char *p, uint32_t number)
{
	/* Spread the digits: one in each byte, the highest in the highest byte. */
	uint64_t x = number;
	x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
	x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
	x = (x | x << 4) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	/* In bytes of 10 and more, adding 6 sets bit 4; there "a" - 10 is added in place of "0". */
	const uint64_t letters = (x + UINT64_C(0x0606060606060606)) >> 4 & UINT64_C(0x0101010101010101);
	x += UINT64_C(0x3030303030303030) + letters * ('a' - 10 - '0');
#if defined(__GNUC__) && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	x = __builtin_bswap64(x);
	memcpy(p, &x, sizeof x);
#else
	for (int i = 0; i < 8; i++)
		p[i] = (char)(x >> (56 - 8 * i));
#endif
}

/* Write the 16 digits of NUMBER at P. */
static inline void hex_put_sixteen(char *p, uint64_t number)
{
#if defined HAVE_VECTORS && !defined WORDS_BIGENDIAN && defined __GNUC__
	typedef uint8_t bytes8 __attribute__((vector_size(8)));
	typedef uint8_t bytes16 __attribute__((vector_size(16)));
	typedef uint16_t pairs8 __attribute__((vector_size(16)));
	bytes8 bytes;
	number = __builtin_bswap64(number);
	memcpy(&bytes, &number, sizeof bytes);
	/* A byte becomes a pair of digits, the high one first. */
	const pairs8 pairs = __builtin_convertvector(bytes, pairs8);
	bytes16 digits = (bytes16)(pairs >> 4 | (pairs & 15) << 8);
	digits += '0' + ((bytes16)(digits > 9) & ('a' - 10 - '0'));
	memcpy(p, &digits, sizeof digits);
#else
	hex_put_eight(p, (uint32_t)(number >> 32));
	hex_put_eight(p + 8, (uint32_t)number);
#endif
}

/* Write the lowest DIGITS digits of NUMBER, 1 to 16, at P; returns where they end.  P must have room for 16, because
   all 16 bytes are written. */
static inline char *hex_put(char *p, uint64_t number, int digits)
{
	hex_put_sixteen(p, number << (64 - 4 * digits));
	return p + digits;
}

/* How many digits NUMBER has. */
static inline int hex_digits(uint64_t number)
{
#ifdef __GNUC__
	return (67 - __builtin_clzll(number | 1)) / 4;
#else
	int digits = 1;
	while (number >>= 4)
		digits++;
	return digits;
#endif
}

#endif
