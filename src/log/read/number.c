// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/read/number.h"
#include "log/read/chars.h"

/* Store the value of the digits at TEXT.  Returns how many there are. */
static size_t read_digits(const char *text, size_t length, uint64_t *value)
{
	size_t n = 0;
	*value = 0;
	for (; n < length && is_hex(text[n]); n++)
		*value = *value << 4 | hex_value(text[n]);
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
	size_t n = read_digits(text + at, length - at, &number->value);
	at += n;
	if (n == NUMBER_HALF && at < length && text[at] == '`' &&
	    read_digits(text + at + 1, length - at - 1, &low) == NUMBER_HALF) {
		number->value = number->value << 32 | low;
		number->grave = true;
		at += 1 + NUMBER_HALF;
		n += NUMBER_HALF;
	}
	number->digits = n > 16 ? 17 : (unsigned)n;
	return n ? at : 0;
}
