// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * match_missed.c - text that looks like an address, although it has none of the forms that are read: the name of a module
 * with its extension, a sign, and a hexadecimal number, as in "ntoskrnl.exe:89b21" alone on a line
 */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"
#include "log/read/tokens.h"

#include <string.h>

enum { LEAST_DIGITS = 4, MOST_BLANKS = 2 };

/* Whether the text at C goes on with a sign and a number of an address. */
static bool is_address(struct cursor *c)
{
	struct number number;
	if (cursor_blanks(c) > MOST_BLANKS || cursor_at_end(c) || !strchr(":+!@", c->text[c->at]))
		return false;
	c->at++;
	if (cursor_blanks(c) > MOST_BLANKS || !cursor_number(c, &number))
		return false;
	if (number.digits < LEAST_DIGITS || number.digits > 16 || number.value < 0x1000)
		return false;
	/* Not a date, a version, a time or the beginning of a word. */
	return cursor_at_end(c) || !(is_word(c->text[c->at]) || strchr("-.:/\\", c->text[c->at]));
}

bool tokens_look_missed(const char *text, size_t length)
{
	for (size_t at = 1; at < length; at++) {
		size_t end = at + 1;
		if (text[at] != '.' || !is_word(text[at - 1]))
			continue;
		while (end < length && end - at <= 4 && is_word(text[end]))
			end++;
		struct cursor c = { .text = text, .at = end, .end = length, .complete = true };
		if (match_is_module(text + at - 1, end - at + 1) && is_address(&c))
			return true;
	}
	return false;
}
