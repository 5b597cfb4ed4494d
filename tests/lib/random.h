/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers that look random and are the same in every run and on every host. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

static uint64_t random_state = 1;

static inline void random_start(uint64_t seed)
{
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static inline uint32_t random_u32(void)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (uint32_t)(random_state * UINT64_C(0x2545f4914f6cdd1d) >> 32);
}

/* One of 0 ... N - 1; N is not 0. */
static inline uint32_t random_below(uint32_t n)
{
	return (uint32_t)((uint64_t)random_u32() * n >> 32);
}

/* True once in N times. */
static inline bool random_one_in(uint32_t n)
{
	return random_below(n) == 0;
}

#endif
