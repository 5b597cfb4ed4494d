// SPDX-License-Identifier: GPL-2.0-or-later
/* text.c - unpack the text of a packed string */
#include "core/text.h"
#include "core/mem.h"

int rs_text_read_phrase(const struct rs_strings *strings, uint32_t number, struct rs_phrase *phrase,
			struct rossym_fault *fault)
{
	uint8_t buffer[RS_PHRASE_SIZE];
	/* rs_packed_open() has checked that all phrases fit before the strings. */
	const uint64_t begin = strings->offset - (uint64_t)strings->phrases * RS_PHRASE_SIZE;
	if (number >= strings->phrases)
		return rs_fault_store(fault, ROSSYM_FAULT_PHRASE, strings->offset, number, 0, 0);
	const uint8_t *p = rs_view(&strings->reader, begin + (uint64_t)number * RS_PHRASE_SIZE, RS_PHRASE_SIZE, buffer,
				   fault);
	if (!p)
		return -1;
	const uint32_t entry = rs_le32(p);
	phrase->before = entry & 0xffffff;
	phrase->length = entry >> 24;
	if (phrase->length == 0 || phrase->before > strings->offset)
		return rs_fault_store(fault, ROSSYM_FAULT_PHRASE, begin + (uint64_t)number * RS_PHRASE_SIZE, number, 0,
				      0);
	return 0;
}

/* A position in packed strings.  Each function that reads moves it forwards. */
struct text_place {
	const struct rs_strings *strings;
	struct rossym_fault *fault;
	uint32_t at;	  /* offset of the next byte */
	uint32_t have;	  /* how many bytes from `at` on have been read */
	const uint8_t *p; /* where these bytes are: in the reader's memory or in `window` */
	uint8_t window[32];
};

/*@ predicate placed{L}(struct text_place *t) =
      \valid(t) && \valid_read(t->strings) && readable(&t->strings->reader) && \valid(t->fault) &&
      \separated(t, t->strings, t->fault) && (t->have > 0 ==> bytes(t->p, t->have)) &&
      t->have <= 32 && (t->have > 0 ==> t->at + t->have <= t->strings->length); */

/* Store the byte at PLACE, and move PLACE after it.  At the end of all strings, store NUL.  Returns 0 or -1. */
/*@ requires placed(place) && \valid(byte) && \separated(place, place->strings, place->fault, byte);
    assigns place->at, place->have, place->p, place->window[0 .. 31], *place->fault, *byte;
    ensures \result >= 0 ==> placed(place);
    ensures \result >= 0 ==> \old(place->at) <= place->at;
    ensures \result >= 0 && \old(place->at) <= place->strings->length ==> place->at <= place->strings->length;
    ensures \result >= 0 && *byte != 0 ==> \old(place->at) < place->at <= place->strings->length; */
static int read_next_byte(struct text_place *place, uint8_t *byte)
{
	const struct rs_strings *strings = place->strings;
	*byte = 0;
	if (place->have == 0) {
		const uint32_t left = place->at < strings->length ? strings->length - place->at : 0;
		if (left == 0)
			return 0;
		const uint32_t have = left < sizeof place->window ? left : (uint32_t)sizeof place->window;
		place->p = rs_view(&strings->reader, strings->offset + place->at, have, place->window, place->fault);
		if (!place->p)
			return -1;
		place->have = have;
	}
	*byte = *place->p++;
	place->at++;
	place->have--;
	return 0;
}

/* Store the symbol (byte or phrase) at PLACE, and move PLACE to its end.  Symbol 0 ends a string.  Returns 0 or -1. */
/*@ requires placed(place) && \valid(symbol) && \separated(place, place->strings, place->fault, symbol);
    assigns place->at, place->have, place->p, place->window[0 .. 31], *place->fault, *symbol;
    ensures \result >= 0 ==> placed(place);
    ensures \result >= 0 && *symbol != 0 ==> \old(place->at) < place->at <= place->strings->length; */
static int read_next_symbol(struct text_place *place, uint32_t *symbol)
{
	uint8_t first, second = 0;
	if (read_next_byte(place, &first) < 0 || (first >= 0x80 && read_next_byte(place, &second) < 0))
		return -1;
	*symbol = first < 0x80 ? first : (first & 0x7fu) << 8 | second;
	return 0;
}

/* Append the text of SYMBOL, as far as it fits, to the *LENGTH bytes at TO, which has room for SIZE.  Returns 0; 1 if
   the text did not fit; or -1. */
/*@ requires \valid_read(strings) && readable(&strings->reader) && room(to, size) && \valid(length) && \valid(fault);
    requires \separated(strings, to + (0 .. size - 1), length, fault) && apart(to, size, &strings->reader);
    requires *length <= size;
    assigns to[0 .. size - 1], *length, *fault;
    ensures *length <= size; */
static int append_symbol(const struct rs_strings *strings, uint32_t symbol, uint8_t *to, uint32_t size,
			 uint32_t *length, struct rossym_fault *fault)
{
	struct rs_phrase phrase;
	uint8_t *end = to + *length;
	const uint32_t room = size - *length;
	if (symbol < RS_PHRASE_FIRST) {
		if (room == 0)
			return 1;
		*end = (uint8_t)symbol;
		*length += 1;
		return 0;
	}
	if (rs_text_read_phrase(strings, symbol - RS_PHRASE_FIRST, &phrase, fault) < 0)
		return -1;
	const uint32_t count = phrase.length < room ? phrase.length : room;
	const uint8_t *p = rs_view(&strings->reader, strings->offset - phrase.before, count, end, fault);
	if (!p)
		return -1;
	if (p != end)
		memcpy(end, p, count);
	*length += count;
	return count < phrase.length;
}

int rs_text_copy(const struct rs_strings *strings, uint32_t offset, uint8_t *to, uint32_t size, uint32_t *length,
		 struct rossym_fault *fault)
{
	struct text_place place;
	uint32_t symbol;
	place.strings = strings;
	place.fault = fault;
	place.at = offset;
	place.have = 0;
	*length = 0;
	/*@ loop invariant placed(&place) && *length <= size;
	    loop assigns place.at, place.have, place.p, place.window[0 .. 31], symbol, *length, to[0 .. size - 1], *fault;
	    loop variant strings->length - place.at; */
	for (;;) {
		if (read_next_symbol(&place, &symbol) < 0)
			return -1;
		if (symbol == 0)
			return 0;
		const int r = append_symbol(strings, symbol, to, size, length, fault);
		if (r != 0)
			return r;
	}
}
