/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - the text of packed strings
 *
 * A packed string is made of bytes and of phrases, which are pieces of a text that the table has before its strings.
 * The offset of a packed string identifies it, as with plain strings; only code that needs the text of a string calls
 * these functions.
 */
#ifndef RS_TEXT_H
#define RS_TEXT_H

#include "core/layout.h"
#include "core/view.h"

/*
 * Copy the text of the string at OFFSET of STRINGS, which are packed, to the SIZE bytes at TO, as far as it fits, and
 * store the number of copied bytes in *LENGTH.  No NUL is added.  Returns 0; 1 if the string is longer than SIZE; or
 * -1: a fault of reading, or ROSSYM_FAULT_PHRASE for a phrase that does not exist.
 */
/*@ requires \valid_read(strings) && readable(&strings->reader) && room(to, size) && \valid(length) && \valid(fault);
    requires \separated(strings, to + (0 .. size - 1), length, fault) && apart(to, size, &strings->reader);
    assigns to[0 .. size - 1], *length, *fault;
    ensures *length <= size; */
int rs_text_copy(const struct rs_strings *strings, uint32_t offset, uint8_t *to, uint32_t size, uint32_t *length,
		 struct rossym_fault *fault);

/* A phrase: `length` bytes of text, the first of which is `before` bytes before the strings. */
struct rs_phrase {
	uint32_t before, length;
};

/* Store phrase NUMBER.  Returns 0; or -1: a fault of reading, or ROSSYM_FAULT_PHRASE if the phrase does not exist, has
   no text, or begins before the file does. */
/*@ requires \valid_read(strings) && readable(&strings->reader) && \valid(phrase) && \valid(fault);
    requires \separated(strings, phrase, fault);
    assigns *phrase, *fault;
    ensures \result >= 0 ==> 0 < phrase->length <= 255 && phrase->before <= strings->offset; */
int rs_text_read_phrase(const struct rs_strings *strings, uint32_t number, struct rs_phrase *phrase,
			struct rossym_fault *fault);

#endif
