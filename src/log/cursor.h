/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cursor.h - read the expected parts of a line, from left to right
 *
 * Each function reads one thing and returns whether it was there.  If the line is still incomplete and the text ends before
 * this can be decided, the function returns false and sets "more".
 */
#ifndef LOG_CURSOR_H
#define LOG_CURSOR_H

#include "log/number.h"
#include "log/tokens.h"

struct cursor {
	const char *text;
	size_t at, end;
	bool complete;
	bool more;		/* the text ended before something could be decided; */
	size_t hold;		/* then it can be passed on up to here: a number may have been complete */
};

struct cursor cursor_at(const struct tokens *t, size_t at);

bool cursor_at_end(struct cursor *c);
bool cursor_char(struct cursor *c, char expected);
bool cursor_word(struct cursor *c, const char *word);
size_t cursor_blanks(struct cursor *c);			/* how many */

/* A hexadecimal number, and after it a character that can follow a number. */
bool cursor_number(struct cursor *c, struct number *number);

/* Only white space until the line ends. */
bool cursor_rest_is_blank(struct cursor *c);

#endif
