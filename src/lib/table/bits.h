/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bits.h - count the bits of a number */
#ifndef RS_BITS_H
#define RS_BITS_H

#include <stdint.h>

/* Returns how many bits of X are set.  Counts them in pairs of bits, then in fours, then in bytes; the product adds all
   bytes into the highest one.  In plain C, because some processors that we build for have no instruction for it. */
static inline unsigned bits_count(uint64_t x)
{
	x -= x >> 1 & UINT64_C(0x5555555555555555);
	x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
	x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns how many bits of X are 0 above the highest bit that is set.  X is not 0. */
static inline unsigned bits_leading_zeros(uint64_t x)
{
#ifdef __GNUC__
	return (unsigned)__builtin_clzll(x);
#else
	unsigned zeros = 0;
	for (; !(x >> 63); x <<= 1)
		zeros++;
	return zeros;
#endif
}

#endif
