/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phrases.h - makes packed strings: finds phrases, which are texts that occur often in the strings
 *
 * The method is byte pair encoding: at first each byte is a symbol; then, again and again, the most frequent pair of
 * symbols becomes a symbol itself.  Names of C++ and Rust, which have many parts in common, shrink to a fifth.
 */
#ifndef RS_PHRASES_H
#define RS_PHRASES_H

#include "rossym.h"

#include <stddef.h>
#include <stdint.h>

/* All zeros: no strings and no phrases. */
struct rs_phrases {
	uint16_t *symbols; /* the packed strings, each with a 0 after it */
	size_t length;	   /* how many symbols */
	char *text;	   /* each phrase is a piece of this text */
	uint32_t text_length, text_room;
	struct rs_new_phrase *items; /* the phrases, by number */
	uint32_t count;		     /* of phrases */
	struct rs_pair *pairs;	     /* pairs of symbols that became a symbol; only phrases.c uses them */
	uint32_t pair_count, pair_room;
};

struct rs_new_phrase {
	uint32_t at;	/* offset in the text */
	uint8_t length; /* bytes */
};

void rs_phrases_clear(struct rs_phrases *phrases);

/* Find the phrases of the LENGTH bytes at BYTES, which are strings with their NULs, and pack the strings.  Returns 0,
   or -1: ROSSYM_ENOMEM. */
int rs_phrases_make(struct rs_phrases *phrases, const char *bytes, size_t length, struct rossym_error *err);

/* Returns how many bytes SYMBOL takes in a packed string. */
static inline unsigned rs_symbol_size(uint16_t symbol)
{
	return symbol < 0x80 ? 1 : 2;
}

#endif
