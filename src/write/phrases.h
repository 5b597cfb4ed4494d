/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phrases.h - make packed strings: find phrases, pairs of symbols that occur often
 *
 * A pair of symbols that occurs most often becomes a phrase, a symbol itself, and so on.  Names of C++ and Rust, which
 * repeat each other's parts, shrink to a sixth.
 */
#ifndef RS_PHRASES_H
#define RS_PHRASES_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

/* All zeros: none. */
struct rs_phrases {
	uint16_t *text; /* the symbols of all strings, each string with a 0 after it */
	size_t length;
	struct rs_phrase *items;
	uint32_t count, room;
};

struct rs_phrase {
	uint16_t symbols[2];
	uint8_t depth, length; /* phrases in it, itself included, and bytes of text */
};

void rs_phrases_clear(struct rs_phrases *phrases);

/* Find the phrases of the LENGTH bytes at BYTES, strings with their NULs.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_phrases_make(struct rs_phrases *phrases, const char *bytes, size_t length, struct rossym_error *err);

/* How many bytes SYMBOL takes in a string. */
static inline unsigned rs_symbol_size(uint16_t symbol)
{
	return symbol < 0x80 ? 1 : 2;
}

#endif
