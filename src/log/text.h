/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text.h - a string that grows, and how strangers' strings are shown
 *
 * Names out of symbol tables, archives and logs go to terminals.  Masked, a control character (and a byte of 0x80 to
 * 0x9f that is no part of a UTF-8 character: some terminals obey those too) is shown as "?".
 */
#ifndef LOG_TEXT_H
#define LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *bytes;		/* not terminated; NULL as long as nothing has been added */
	size_t length, size;
	bool failed;		/* memory ran out: something is missing */
};

void text_clear(struct text *text);	/* frees it; it can be used again */

void text_bytes(struct text *text, const char *bytes, size_t length);
void text_string(struct text *text, const char *string);
void text_char(struct text *text, char c);
void text_decimal(struct text *text, uint64_t number);
void text_hex(struct text *text, uint64_t number);	/* lower case, no leading zeros */
void text_masked(struct text *text, const char *bytes, size_t length);

/* How many bytes at P, of LENGTH, are one UTF-8 character; 0 if they are none. */
size_t utf8_length(const char *p, size_t length);

/* BYTES masked, for a message: in BUFFER, cut to what fits. */
const char *mask(char *buffer, size_t size, const char *bytes, size_t length);

#endif
