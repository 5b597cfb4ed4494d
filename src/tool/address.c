// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/address.h"

#include <stdlib.h>
#include <string.h>

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_digit(char c)
{
	if (is_digit(c))
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10) : 16;
}

static uint64_t read_hex(const char *text, const char **end)
{
	const char *p = text;
	if (p[0] == '0' && (p[1] | 0x20) == 'x' && hex_digit(p[2]) < 16)
		p += 2;
	uint64_t number = 0;
	bool too_big = false;
	for (unsigned digit; (digit = hex_digit(*p)) < 16; p++) {
		too_big |= number >> 60 != 0;
		number = number << 4 | digit;
	}
	*end = p;
	return too_big ? UINT64_MAX : number;
}

uint64_t address_number(const char *text, const char **end)
{
	uint64_t number = read_hex(text, end);
	/* The lower half of a number that WinDbg has cut in two: exactly eight digits behind a backquote. */
	if (**end == '`' && number <= UINT32_MAX) {
		const char *half = *end + 1, *half_end = half;
		while (hex_digit(*half_end) < 16)
			half_end++;
		if (half_end - half == 8)
			number = number << 32 | read_hex(half, end);
	}
	return number;
}

/* "<name:hex>" or "<name: hex>", or with a translation behind the number: "<name:hex (file:line (function))>".  The
   name may be a path with a drive, so the colon is the one that a number follows. */
static bool parse_module(const char *text, struct address *address)
{
	if (*text != '<')
		return false;
	for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
		const char *p = colon + 1, *end;
		while (*p == ' ')
			p++;
		if (hex_digit(*p) == 16)
			continue;
		uint64_t number = read_hex(p, &end);
		if (*end != '>' && strncmp(end, " (", 2) != 0)
			continue;
		address->kind = ADDRESS_MODULE;
		address->name = text + 1;
		address->name_length = (size_t)(colon - address->name);
		address->number = number;
		return true;
	}
	return false;
}

static void parse_symbol(const char *text, struct address *address)
{
	const char *end = text;
	while (*end && *end != '+' && !is_space(*end))
		end++;
	address->kind = ADDRESS_SYMBOL;
	address->name = text;
	address->name_length = (size_t)(end - text);
	while (is_space(*end))
		end++;
	address->number = *end == '+' ? strtoull(end + 1, NULL, 0) : 0;
}

void address_parse(const char *text, struct address *address)
{
	while (is_space(*text))
		text++;
	if (is_digit(*text) || *text == '\0' || (hex_digit(*text) < 16 && !strchr(text, '+'))) {
		const char *end;
		address->kind = ADDRESS_NUMBER;
		address->number = address_number(text, &end);
	} else if (!parse_module(text, address)) {
		parse_symbol(text, address);
	}
}

/* ------------------------------------------------------------------------------------------ eight at a time */

/* Eight characters as one number, the first in its lowest byte. */
static inline uint64_t load8(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;
	return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
	       (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The number of the lowest byte whose highest bit is set in MASK, 8 if there is none. */
static unsigned first_byte(uint64_t mask)
{
#ifdef __GNUC__
	return mask ? (unsigned)__builtin_ctzll(mask) / 8 : 8;
#else
	unsigned n = 0;
	while (n < 8 && !(mask >> (8 * n) & 0x80))
		n++;
	return n;
#endif
}

/* How many of eight characters, from the first on, are hexadecimal digits. */
static inline unsigned count_digits(uint64_t chars)
{
	/* A sum sets the highest bit of a byte if what was in its lower seven is too big. */
	uint64_t low = chars & EACH_BYTE(0x7f);
	uint64_t above_9 = (low ^ EACH_BYTE(0x30)) + EACH_BYTE(0x7f - 9);
	uint64_t letter = (low | EACH_BYTE(0x20)) ^ EACH_BYTE(0x60);		/* a-f, A-F: 1-6 */
	uint64_t above_0 = letter + EACH_BYTE(0x7f), above_6 = letter + EACH_BYTE(0x7f - 6);
	uint64_t digit = (~above_9 | (above_0 & ~above_6)) & ~chars;
	return first_byte(~digit & EACH_BYTE(0x80));
}

/* The value of the first COUNT of eight characters, which are digits. */
static inline uint64_t value(uint64_t chars, unsigned count)
{
	if (count == 0)
		return 0;
	uint64_t v = (chars & EACH_BYTE(0x0f)) + (chars >> 6 & EACH_BYTE(1)) * 9;
	v <<= 64 - 8 * count;	/* zeros take the place of digits in front */
	v = (v << 4 | v >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v << 8 | v >> 16) & UINT64_C(0x0000ffff0000ffff);
	return (v << 16 | v >> 32) & UINT32_MAX;
}

size_t address_lines(char **text, const char *end, uint64_t *numbers, size_t most)
{
	char *p = *text;
	size_t count = 0;
	while (count < most && p < end) {
		char *digits = p + (p[0] == '0' && (p[1] | 0x20) == 'x' ? 2 : 0);
		uint64_t chars = load8(digits);
		unsigned length = count_digits(chars);
		uint64_t number = value(chars, length);
		if (length == 8 && digits[8] != '\n') {
			chars = load8(digits + 8);
			unsigned more = count_digits(chars);
			number = number << (4 * more) | value(chars, more);
			length += more;
		}
		char *behind = digits + length;
		behind += *behind == '\r';
		if (length == 0 || *behind != '\n')
			break;
		numbers[count++] = number;
		p = behind + 1;
	}
	*text = p;
	return count;
}
