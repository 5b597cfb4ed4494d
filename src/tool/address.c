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

/* The highest bit of each of eight characters that is no hexadecimal digit. */
static inline uint64_t not_digits(uint64_t chars)
{
	/* A sum sets the highest bit of a byte if what was in its lower seven is too big. */
	uint64_t low = chars & EACH_BYTE(0x7f);
	uint64_t above_9 = (low ^ EACH_BYTE(0x30)) + EACH_BYTE(0x7f - 9);
	uint64_t letter = (low | EACH_BYTE(0x20)) ^ EACH_BYTE(0x60);		/* a-f, A-F: 1-6 */
	uint64_t above_0 = letter + EACH_BYTE(0x7f), above_6 = letter + EACH_BYTE(0x7f - 6);
	return ((above_9 & (~above_0 | above_6)) | chars) & EACH_BYTE(0x80);
}

/* The values of eight digits side by side, and of the number that digits in that place make, the first the highest. */
static inline uint64_t digit_values(uint64_t chars)
{
	return (chars & EACH_BYTE(0x0f)) + (chars >> 6 & EACH_BYTE(1)) * 9;
}

static inline uint64_t join_values(uint64_t v)
{
	v = (v << 4 | v >> 8) & UINT64_C(0x00ff00ff00ff00ff);
	v = (v << 8 | v >> 16) & UINT64_C(0x0000ffff0000ffff);
	return (v << 16 | v >> 32) & UINT32_MAX;
}

/*
 * How a line is written.  Most lines of an input look alike, so each line is taken to be written as the last one was, and
 * that is checked: then where the next line begins is known before this one has been read.
 */
struct shape {
	unsigned prefix;	/* 2 for "0x" */
	unsigned digits;	/* 1 to 16 */
	unsigned size;		/* of the line, with its end */
	char end;		/* what is behind the digits: a newline, or a carriage return in front of it */
};

static inline unsigned prefix_at(const char *p)
{
	return p[0] == '0' && (p[1] | 0x20) == 'x' ? 2 : 0;
}

/* False: the line at P is not a number and nothing else. */
static bool see_shape(const char *p, struct shape *shape)
{
	shape->prefix = prefix_at(p);
	const char *digits = p + shape->prefix;
	shape->digits = first_byte(not_digits(load8(digits)));
	if (shape->digits == 8)
		shape->digits += first_byte(not_digits(load8(digits + 8)));
	const char *end = digits + shape->digits;
	shape->end = *end;
	end += *end == '\r';
	shape->size = (unsigned)(end - p) + 1;
	return shape->digits > 0 && *end == '\n';
}

static inline bool has_shape(const char *p, const struct shape *shape)
{
	return p[shape->size - 1] == '\n' && p[shape->prefix + shape->digits] == shape->end &&
	       (shape->prefix == 0 || prefix_at(p) == 2);
}

/* Read numbers from lines of SHAPE, as long as lines have it. */
static inline size_t read_short(char **text, const char *end, const struct shape *shape, uint64_t *numbers, size_t most)
{
	const unsigned unused = 64 - 8 * shape->digits;	/* bits of eight characters that are not digits */
	char *p = *text;
	size_t count = 0;
	for (; count < most && p < end && has_shape(p, shape); p += shape->size) {
		uint64_t chars = load8(p + shape->prefix);
		if (not_digits(chars) << unused)
			break;
		/* Zeros take the place of digits in front. */
		numbers[count++] = join_values(digit_values(chars) << unused);
	}
	*text = p;
	return count;
}

/* The same for more than eight digits: the first eight and the last eight, some of which are the same. */
static inline size_t read_long(char **text, const char *end, const struct shape *shape, uint64_t *numbers, size_t most)
{
	const unsigned rest = shape->digits - 8;
	char *p = *text;
	size_t count = 0;
	for (; count < most && p < end && has_shape(p, shape); p += shape->size) {
		uint64_t first = load8(p + shape->prefix), last = load8(p + shape->prefix + rest);
		if (not_digits(first) | not_digits(last))
			break;
		numbers[count++] = join_values(digit_values(first)) << (4 * rest) | join_values(digit_values(last));
	}
	*text = p;
	return count;
}

size_t address_lines(char **text, const char *end, uint64_t *numbers, size_t most)
{
	struct shape shape;
	size_t count = 0;
	while (count < most && *text < end && see_shape(*text, &shape))
		count += shape.digits <= 8 ? read_short(text, end, &shape, numbers + count, most - count)
					   : read_long(text, end, &shape, numbers + count, most - count);
	return count;
}
