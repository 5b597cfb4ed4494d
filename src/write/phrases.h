/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phrases.h - make packed strings: find phrases, texts that occur often
 *
 * A pair of symbols that occurs most often becomes a phrase, a symbol itself, and so on.  Names of C++ and Rust, which
 * repeat each other's parts, shrink to a fifth.
 */
#ifndef RS_PHRASES_H
#define RS_PHRASES_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

/* All zeros: none. */
struct rs_phrases {
	uint16_t *symbols; /* of all strings, each string with a 0 after it */
	size_t length;	   /* how many there are */
	char *text;	   /* the phrases are pieces of it */
	uint32_t text_length, text_room;
	struct rs_new_phrase *items; /* in the order of their numbers */
	uint32_t count;
	struct rs_pair *pairs; /* while the phrases are being found */
	uint32_t pair_count, pair_room;
};

struct rs_new_phrase {
	uint32_t at; /* in the text */
	uint8_t length;
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
