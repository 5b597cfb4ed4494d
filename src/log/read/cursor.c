// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/cursor.h"
#include "log/read/chars.h"

/* Store in *VALUE the hexadecimal number at TEXT; only its last 16 digits count.  Returns how many digits it has. */
static size_t read_hex_digits(const char *text, size_t length, uint64_t *value)
{
	size_t n = 0;
	uint64_t number = 0;
	for (; n < length && is_hex(text[n]); n++)
		number = number << 4 | hex_value(text[n]);
	*value = number;
	return n;
}

size_t number_parse(const char *text, size_t length, struct number *number)
{
	uint64_t low;
	size_t at = 0;
	*number = (struct number){ .value = 0 };
	if (length > 2 && text[0] == '0' && (text[1] | 0x20) == 'x' && is_hex(text[2])) {
		number->prefix = true;
		at = 2;
	}
	size_t n = read_hex_digits(text + at, length - at, &number->value);
	at += n;
	if (n == NUMBER_HALF && at < length && text[at] == '`' &&
	    read_hex_digits(text + at + 1, length - at - 1, &low) == NUMBER_HALF) {
		number->value = number->value << 32 | low;
		number->grave = true;
		at += 1 + NUMBER_HALF;
		n += NUMBER_HALF;
	}
	number->digits = n > 16 ? 17 : (unsigned)n;
	return n ? at : 0;
}

struct cursor cursor_make(const struct tokens *t, size_t at)
{
	return (struct cursor){ t->text, at, t->length, false };
}

bool cursor_is_at_end(struct cursor *c)
{
	if (c->at < c->end)
		return false;
	c->ended = true;
	return true;
}

bool cursor_read_char(struct cursor *c, char expected)
{
	if (cursor_is_at_end(c) || c->text[c->at] != expected)
		return false;
	c->at++;
	return true;
}

bool cursor_read_word(struct cursor *c, const char *word)
{
	size_t at = c->at;
	for (; *word; word++)
		if (!cursor_read_char(c, *word)) {
			c->at = at;
			return false;
		}
	return true;
}

size_t cursor_skip_blanks(struct cursor *c)
{
	size_t from = c->at;
	while (!cursor_is_at_end(c) && is_blank(c->text[c->at]))
		c->at++;
	return c->at - from;
}

bool cursor_read_number(struct cursor *c, struct number *number)
{
	size_t at = c->at, length = number_parse(c->text + at, c->end - at, number);
	c->at += length;
	/* In "fffff800`02a6", whose second half is too short or too long, neither half is a number.  A grave accent
	   without a digit after it is Markdown's: it ends the number. */
	if (number->digits == NUMBER_HALF && c->at + 1 < c->end && c->text[c->at] == '`' && is_hex(c->text[c->at + 1]))
		return false;
	return length > 0 && number->digits <= 16 && (c->at == c->end || !is_word_char(c->text[c->at]));
}

bool cursor_skip_to_line_end(struct cursor *c)
{
	while (!cursor_is_at_end(c) && (is_blank(c->text[c->at]) || c->text[c->at] == '\r'))
		c->at++;
	return cursor_is_at_end(c);
}
