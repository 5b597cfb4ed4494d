/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encoding.h - converts a log in UTF-16 to UTF-8 when it is read, and back when it is written
 *
 * Notepad and PowerShell write UTF-16.  The code between reading and writing sees only UTF-8.  The conversion is
 * lossless for any bytes: a surrogate without its other half becomes three bytes of UTF-8, as if it were a character.
 * If the number of bytes is odd, the last byte is kept, and written unchanged at the end.
 *
 * Logs in other encodings, such as UTF-8, pass through unchanged.
 *
 * The encoding is detected from the first bytes: a byte order mark, or two ASCII characters in UTF-16.  Detection waits
 * for as few bytes as possible, so that it does not delay the first line of a slow stream: two bytes are enough if both
 * are ASCII characters.
 */
#ifndef TOOL_ENCODING_H
#define TOOL_ENCODING_H

#include "tool/out.h"

#include <stdbool.h>
#include <stddef.h>

enum encoding_kind {
	ENCODING_UNKNOWN, /* too few bytes have been read */
	ENCODING_BYTES,	  /* ASCII, UTF-8 or another encoding whose bytes below 128 are ASCII */
	ENCODING_UTF16LE,
	ENCODING_UTF16BE,
};

/* The state of converting one log.  All zeros: the log begins. */
struct encoding {
	enum encoding_kind kind;
	/* Bytes that have been read but not converted: the first ones, before the encoding is known,
	   or an incomplete character. */
	unsigned char input[4];
	size_t input_count;
	unsigned char output[4]; /* the beginning of a UTF-8 character whose rest encoding_write() has not got yet */
	size_t output_count;
};

/* Returns how many bytes encoding_decode() can convert at once into a TEXT of ROOM bytes; ROOM must be at least 18. */
size_t encoding_convertible_size(const struct encoding *encoding, size_t room);

/* Convert the LENGTH bytes at BYTES to UTF-8 at TEXT.  BYTES may be the last encoding_convertible_size() bytes of the
   room at TEXT, so that no second buffer is needed.  AT_END: no more bytes follow.  Returns the length of the text. */
size_t encoding_decode(struct encoding *encoding, const char *bytes, size_t length, char *text, bool at_end);

/* Write TEXT to OUT in the encoding of the log.  For UTF-16, a byte that is not UTF-8 is converted as Latin-1.  TEXT
   may be NULL if LENGTH is 0. */
void encoding_write(struct encoding *encoding, struct out *out, const char *text, size_t length);

/* At the end of the log, write the bytes that were kept: an incomplete character, or the last byte of an odd number. */
void encoding_write_rest(struct encoding *encoding, struct out *out);

#endif
