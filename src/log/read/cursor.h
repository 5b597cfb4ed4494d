/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - read the expected parts of a line, from left to right
 *
 * Each function reads one part, moves the cursor after it, and returns whether it was there.  If the line is incomplete
 * and its text ends before that can be decided, the function returns false and sets `more`.
 */
#ifndef LOG_READ_CURSOR_H
#define LOG_READ_CURSOR_H

#include "log/read/number.h"
#include "log/read/token.h"

struct cursor {
	const char *text;
	size_t at, end;
	bool complete;
	bool more;   /* the text ended before something could be decided */
	size_t hold; /* then: no annotation belongs before here, even if the number read last was complete */
};

/* A cursor at position AT of the line. */
struct cursor cursor_at(const struct tokens *t, size_t at);

bool cursor_at_end(struct cursor *c);
bool cursor_char(struct cursor *c, char expected);
bool cursor_word(struct cursor *c, const char *word);
size_t cursor_blanks(struct cursor *c); /* returns how many it skipped */

/* Read a hexadecimal number of at most 16 digits.  No character of a word may follow it. */
bool cursor_number(struct cursor *c, struct number *number);

/* Skip blanks and a carriage return; true if the line ends there. */
bool cursor_rest_is_blank(struct cursor *c);

#endif
