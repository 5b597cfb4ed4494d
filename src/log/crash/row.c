// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/crash/row.h"
#include "log/read/chars.h"
#include "log/read/number.h"

#include <string.h>

/* Whether C can come before the address of a row.  "V" is for Java's "V  [jvm.dll+0x1]", "P" for EDK2's
   "PC 0x0000F7209888", and "x" for "0x". */
static bool is_of_row(char c)
{
	static const char marks[] = "[]<>(){}#=:`.|,xVP";
	return is_hex(c) || is_blank(c) || memchr(marks, c, sizeof marks - 1) != NULL;
}

bool row_has_address(const char *text, size_t length, size_t start, size_t begin, size_t end)
{
	for (size_t i = start; i < begin; i++)
		if (!is_of_row(text[i]))
			return false;
	while (end < length && (text[end] == '>' || text[end] == ')' || text[end] == ']'))
		end++;
	/* With a colon it is KDBG's dump of memory or disassembly: "<hal.dll:1230>: 90909090". */
	return end == length || text[end] != ':';
}

bool row_has_symbol(const char *text, size_t length, size_t *ret)
{
	size_t symbol = 0, at = 0;
	while (at < length && is_of_row(text[at])) {
		at++;
		if (is_blank(text[at - 1]))
			symbol = at;
	}
	*ret = symbol;
	/* The row must begin with a hexadecimal digit, "#" or "="; the symbol must have a "!" or an offset. */
	return symbol > 0 && at < length && is_hex(text[0] == '#' || text[0] == '=' ? '0' : text[0]) &&
	       (contains_word(text + symbol, length - symbol, "!") ||
		contains_word(text + symbol, length - symbol, "+0x"));
}

bool row_has_number(const char *text, size_t length, uint64_t *ret)
{
	struct number number;
	size_t at = length > 2 && memcmp(text, "=>", 2) == 0 ? 2 : 0, digits = at;
	while (at < length && is_digit(text[at]))
		at++;
	digits = at - digits;
	if (digits == 0 || digits > 3 || at == length || !is_blank(text[at]))
		return false;
	while (at < length && is_blank(text[at]))
		at++;
	at += number_parse(text + at, length - at, &number);
	*ret = number.value;
	return number.prefix && number.digits <= 16 &&
	       (at == length || memcmp(text + at, " (0x", length - at < 4 ? length - at : 4) == 0);
}
