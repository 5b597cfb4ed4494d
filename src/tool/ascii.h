/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ascii.h - classes of ASCII characters, in all locales, unlike those of <ctype.h>; and small functions that use
   them */
#ifndef TOOL_ASCII_H
#define TOOL_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Whether C is white space for isspace() in the C locale. */
static inline bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

static inline char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Whether the LENGTH bytes at A and B are equal, or differ only in case. */
static inline bool equal_ignoring_case(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (to_lower(a[i]) != to_lower(b[i]))
			return false;
	return true;
}

static inline unsigned hex_value(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : (unsigned)(to_lower(c) - 'a' + 10);
}

/* Returns the first character at or after P that is not white space. */
static inline char *skip_spaces(char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

/* Returns the part of PATH after its last "/" or "\", or PATH if it has neither.  *LENGTH must be the length of PATH,
   and becomes the length of the part. */
static inline const char *base_name(const char *path, size_t *length)
{
	size_t begin = *length;
	while (begin > 0 && !is_separator(path[begin - 1]))
		begin--;
	*length -= begin;
	return path + begin;
}

/* Returns the decimal number at *P, or UINT64_MAX if it has more than 64 bits.  Moves *P after its digits. */
static inline uint64_t read_count(char **p)
{
	uint64_t number = 0;
	for (; is_digit(**p); ++*p) {
		const unsigned digit = (unsigned)(**p - '0');
		number = number > (UINT64_MAX - digit) / 10 ? UINT64_MAX : number * 10 + digit;
	}
	return number;
}

#endif
