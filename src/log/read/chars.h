/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chars.h - the classes of bytes that the matchers distinguish, and a search for a word; <ctype.h> is not used, because
   it depends on the locale */
#ifndef LOG_READ_CHARS_H
#define LOG_READ_CHARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* The characters of an identifier.  A key word only counts if no such character is directly before it; a number, if
   none is directly before or after it. */
static inline bool is_word(char c)
{
	return is_letter(c) || is_digit(c) || c == '_';
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static inline bool is_separator(char c)
{
	return c == '/' || c == '\\';
}

/* The characters of a module's name in forms without a delimiter: "win32k.sys+0x1a2b3", but not "<my
   driver.sys:1230>". */
static inline bool is_module_char(char c)
{
	return is_word(c) || c == '.' || c == '-' || c == '$' || c == '~';
}

static inline char to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline unsigned hex_value(char c)
{
	return is_digit(c) ? (unsigned)(c - '0') : (unsigned)(to_lower(c) - 'a' + 10);
}

/* Returns the part of PATH after its last "/" or "\": PATH if there is none.  *LENGTH is the length of PATH, and
   becomes that of the part. */
static inline const char *base_name(const char *path, size_t *length)
{
	size_t begin = *length;
	while (begin > 0 && !is_separator(path[begin - 1]))
		begin--;
	*length -= begin;
	return path + begin;
}

/* Whether WORD is in the LENGTH bytes at TEXT. */
static inline bool contains_word(const char *text, size_t length, const char *word)
{
	const size_t n = strlen(word);
	size_t at = 0;
	while (at + n <= length && memcmp(text + at, word, n) != 0)
		at++;
	return at + n <= length;
}

#endif
