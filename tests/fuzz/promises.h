/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for any bytes that are opened as an image, with a block or without, damaged or sound:
 *
 *	an error has a code that can occur, a place in the file, and one line of text;
 *	all questions come to an end, chains too, and an iterator can be copied;
 *	the same question has the same answer: in an image that is opened once more, after rossym_prepare() and
 *	rossym_prepare_for(), and by the functions that look up many addresses;
 *	a look-up does not depend on the block, and a block that is refused is as none;
 *	with ROSSYM_OPEN_WHOLE_STRINGS a look-up has the strings that its frame has;
 *	what rossym_check() finds sound never fails.
 */
#ifndef FUZZ_PROMISES_H
#define FUZZ_PROMISES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz.h"

struct promises {
	bool opened, sound; /* as rossym_check() says */
	int block;	    /* 1: there is a good one, 0: none, -1: a bad one */
};

/* Ask everything about the image of SIZE bytes.  Returns the first promise that does not hold, or NULL. */
const char *promises_broken(const uint8_t *bytes, size_t size, struct promises *seen);

/* The same for a fuzz target, which breaks then. */
static inline struct promises promises_must_hold(const uint8_t *bytes, size_t size)
{
	struct promises seen;
	const char *broken = promises_broken(bytes, size, &seen);
	if (broken)
		fuzz_broken(broken, "promises.c", 0);
	return seen;
}

#endif
