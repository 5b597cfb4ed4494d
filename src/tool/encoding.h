/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * encoding.h - the encoding of a log: read as UTF-8, written as it was
 *
 * Notepad and PowerShell write UTF-16.  It is converted to UTF-8 when it is read, and back when it is written.
 * Everything between these two knows only UTF-8.  Every sequence of bytes comes back as it was: a surrogate without
 * its other half becomes three bytes of UTF-8, as if it were a character, and an odd byte at the end of the log is
 * kept apart.
 *
 * Logs in other encodings, UTF-8 among them, pass through unchanged.
 *
 * The first bytes tell the encoding: a byte order mark, or two characters of ASCII in UTF-16.  Nothing waits for more
 * bytes than that takes: two, if the log begins with two characters of ASCII that have one byte each.
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

/* All zeros is the beginning of a log. */
struct encoding {
	enum encoding_kind kind;
	unsigned char input[4]; /* what has been read and is not decided: the first bytes, half a character */
	size_t input_count;
	unsigned char output[4]; /* what is to be written and is not a whole character */
	size_t output_count;
};

/* How many bytes to read for encoding_decode(), if its TEXT has room for ROOM, at least 18. */
size_t encoding_most(const struct encoding *encoding, size_t room);

/* Convert the LENGTH bytes at BYTES to UTF-8 at TEXT.  BYTES may be the last encoding_most() bytes of the room at TEXT.
   Returns the length of the text.  AT_END: no more bytes follow. */
size_t encoding_decode(struct encoding *encoding, const char *bytes, size_t length, char *text, bool at_end);

/* Write TEXT to OUT in the encoding of the log.  Bytes that are no UTF-8 count as Latin-1.  TEXT may be NULL if LENGTH
   is 0. */
void encoding_put(struct encoding *encoding, struct out *out, const char *text, size_t length);

/* Write what is left at the end of the log: an odd byte. */
void encoding_finish(struct encoding *encoding, struct out *out);

#endif
