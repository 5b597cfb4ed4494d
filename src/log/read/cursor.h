/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - read the expected parts of a line, from left to right; numbers
 *
 * Each cursor_read_...() reads one part of a line, moves the cursor after it, and returns whether the part was there.
 */
#ifndef LOG_READ_CURSOR_H
#define LOG_READ_CURSOR_H

#include "log/read/token.h"

/* Hexadecimal numbers: "8094136a", "0x8094136a", and WinDbg's "fffff800`02a61000" */
enum { NUMBER_HALF = 8 }; /* digits on each side of WinDbg's grave accent */

struct number {
	uint64_t value;
	unsigned digits; /* how many, with leading zeros; 17: more than 16, of which `value` has the last 16 */
	bool prefix;	 /* it begins with "0x" */
	bool grave;	 /* it is divided by a grave accent */
};

/* Store in *NUMBER the hexadecimal number at TEXT.  Returns its length in bytes, or 0 if there is none.  A grave accent
   belongs to the number only if exactly 8 digits are on each side of the accent. */
size_t number_parse(const char *text, size_t length, struct number *number);

struct cursor {
	const char *text;
	size_t at, end;
	bool ended; /* a function has met the end of the text: with more text, its result could be different */
};

/* Returns a cursor at position AT of the line. */
struct cursor cursor_make(const struct tokens *t, size_t at);

/* Whether no text is left.  If so, also sets c->ended. */
bool cursor_is_at_end(struct cursor *c);

/* Read one character, or a word.  If it is not there, the cursor stays. */
bool cursor_read_char(struct cursor *c, char expected);
bool cursor_read_word(struct cursor *c, const char *word);
size_t cursor_skip_blanks(struct cursor *c); /* returns how many it skipped */

/* Read a hexadecimal number of at most 16 digits.  Returns false if there is none, or if a letter, digit or "_" follows
   it; the cursor may then be after the digits. */
bool cursor_read_number(struct cursor *c, struct number *number);

/* Skip blanks and carriage returns.  Returns whether the line ends after them. */
bool cursor_skip_to_line_end(struct cursor *c);

#endif
