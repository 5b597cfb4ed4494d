/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.h - return addresses, and calls of which some are inlined
 *
 * A comment "LABEL: FUNCTION" marks each line that has a place in an answer; the test takes the lines' numbers from here.
 */
#ifndef CALLS_H
#define CALLS_H

#include <stdint.h>

#define OUT_OF_LINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))

/* Use it after a call.  Otherwise the compiler may make the call a jump, which has no return address. */
#define RETURNS_HERE __asm__ volatile ("" ::: "memory")

enum { CALLS_MOST = 16 };

struct calls {
	uintptr_t addresses[CALLS_MOST];
	unsigned count;
};

/* Add the return address of the function that uses it.  In ARM's Thumb code bit 0 of it is set. */
#ifdef __arm__
#define THUMB_BIT 1u
#else
#define THUMB_BIT 0u
#endif
#define NOTE(calls) ((calls)->addresses[(calls)->count++] = (uintptr_t)__builtin_return_address(0) - THUMB_BIT)

/* Functions of driver.c.  They are not static, so that no compiler makes a copy with another name. */
void note(struct calls *calls);
void outer(struct calls *calls);
void other(struct calls *calls);

INLINED void innermost(struct calls *calls)
{
	note(calls);			/* A: innermost */
	RETURNS_HERE;
}

INLINED void middle(struct calls *calls)
{
	innermost(calls);		/* B: middle */
	note(calls);			/* C: middle */
	RETURNS_HERE;
}

#endif
