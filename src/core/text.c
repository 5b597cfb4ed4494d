// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - expand phrases */
#include "core/text.h"

int rs_text_phrase(const struct rs_strings *strings, uint32_t number, uint16_t symbols[2], struct rossym_fault *fault)
{
	uint8_t buffer[RS_PHRASE_SIZE];
	const uint64_t begin = strings->offset - (uint64_t)strings->phrases * RS_PHRASE_SIZE;
	const uint8_t *p = rs_view(&strings->reader, begin + (uint64_t)number * RS_PHRASE_SIZE, RS_PHRASE_SIZE, buffer,
				   fault);
	if (!p)
		return -1;
	symbols[0] = rs_le16(p);
	symbols[1] = rs_le16(p + 2);
	return 0;
}

/* A place in a packed string. */
struct text_place {
	const struct rs_strings *strings;
	struct rossym_fault *fault;
	uint32_t at;	  /* offset of the next byte */
	uint32_t have;	  /* how many bytes are at P */
	const uint8_t *p; /* the bytes from AT on */
	uint32_t depth;	  /* how many symbols wait */
	uint16_t waiting[RS_PHRASE_DEPTH];
	uint8_t window[32];
};

/* Store the next byte of the strings.  After the last one there is a NUL.  Returns 0 or -1. */
static int next_byte(struct text_place *place, uint8_t *byte)
{
	const struct rs_strings *strings = place->strings;
	*byte = 0;
	if (place->have == 0) {
		const uint32_t left = place->at < strings->length ? strings->length - place->at : 0;
		if (left == 0)
			return 0;
		place->have = left < sizeof place->window ? left : (uint32_t)sizeof place->window;
		place->p = rs_view(&strings->reader, strings->offset + place->at, place->have, place->window,
				   place->fault);
		if (!place->p)
			return -1;
	}
	*byte = *place->p++;
	place->at++;
	place->have--;
	return 0;
}

/* Store the next symbol: one that waits, or the one at the place.  Returns 0 or -1. */
static int next_symbol(struct text_place *place, uint32_t *symbol)
{
	uint8_t first, second = 0;
	if (place->depth > 0) {
		*symbol = place->waiting[--place->depth];
		return 0;
	}
	if (next_byte(place, &first) < 0 || (first >= 0x80 && next_byte(place, &second) < 0))
		return -1;
	*symbol = first < 0x80 ? first : (first & 0x7fu) << 8 | second;
	return 0;
}

/* Store the next byte of the text in *BYTE; 0 is its end.  Returns 0 or -1. */
static int next_of_text(struct text_place *place, uint8_t *byte)
{
	uint32_t symbol;
	uint16_t pair[2];
	if (next_symbol(place, &symbol) < 0)
		return -1;
	for (; symbol >= RS_PHRASE_FIRST; symbol = pair[0]) {
		const uint32_t number = symbol - RS_PHRASE_FIRST;
		if (number >= place->strings->phrases || place->depth == RS_PHRASE_DEPTH)
			return rs_fault(place->fault, ROSSYM_FAULT_PHRASE, place->strings->offset + place->at, number,
					0, 0);
		if (rs_text_phrase(place->strings, number, pair, place->fault) < 0)
			return -1;
		place->waiting[place->depth++] = pair[1];
	}
	*byte = (uint8_t)symbol;
	return 0;
}

int rs_text(const struct rs_strings *strings, uint32_t offset, uint8_t *to, uint32_t size, uint32_t *length,
	    struct rossym_fault *fault)
{
	struct text_place place;
	uint8_t byte;
	place.strings = strings;
	place.fault = fault;
	place.at = offset;
	place.have = place.depth = 0;
	*length = 0;
	for (;;) {
		if (next_of_text(&place, &byte) < 0)
			return -1;
		if (byte == 0)
			return 0;
		if (*length == size)
			return 1;
		to[(*length)++] = byte;
	}
}
