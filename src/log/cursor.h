/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - reading what must stand in a line, from left to right
 *
 * Each function reads one thing and says whether it stood there.  Where the line is still coming in and the text ends
 * before that can be told, the answer is no, and "more" is set.
 */
#ifndef LOG_CURSOR_H
#define LOG_CURSOR_H

#include "log/number.h"
#include "log/tokens.h"

struct cursor {
	const char *text;
	size_t at, end;
	bool complete;
	bool more;		/* the text ended where it might have gone on; */
	size_t hold;		/* it can be passed on up to here, then: a number may have been complete */
};

struct cursor cursor_at(const struct tokens *t, size_t at);

bool cursor_at_end(struct cursor *c);
bool cursor_char(struct cursor *c, char expected);
bool cursor_word(struct cursor *c, const char *word);
size_t cursor_blanks(struct cursor *c);			/* how many */

/* A hexadecimal number that ends where it can end. */
bool cursor_number(struct cursor *c, struct number *number);

/* Only white space until the line ends. */
bool cursor_rest_is_blank(struct cursor *c);

#endif
