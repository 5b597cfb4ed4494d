/* SPDX-License-Identifier: GPL-2.0-or-later */
/* chars.h - classes of characters that tool/ascii.h does not have; the width of a text; a search for a word */
#ifndef LOG_READ_CHARS_H
#define LOG_READ_CHARS_H

#include "tool/ascii.h"

#include <string.h>

/* Whether C can be in an identifier.  A key word counts only if no such character is directly before it, and a number
   only if none is directly before or after it. */
static inline bool is_word_char(char c)
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

/* Whether C can be in a module's name in a form that does not mark where the name begins: "win32k.sys+0x1a2b3".  In
   "<my driver.sys:1230>", the "<" marks the beginning, so the name may have other characters. */
static inline bool is_module_char(char c)
{
	return is_word_char(c) || c == '.' || c == '-' || c == '$' || c == '~';
}

/* Whether C can be in the path of a file. */
static inline bool is_path_char(char c)
{
	return !is_control(c) && !strchr("<>|*?\"", c);
}

/* Whether Markdown may have a backslash before C.  As such a backslash alone does not show that a line is Markdown, the
   plain text (plain.h) keeps the backslash. */
static inline bool may_be_escaped(char c)
{
	return c == '_' || c == '*' || c == '[' || c == ']';
}

/* Whether C is the first byte of a character of UTF-8. */
static inline bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* Returns the length in bytes of the character that ends before AT, if it begins at or after LEAST, and a module's name
   can have it: 1 for is_module_char(), 2 for a letter of two bytes in UTF-8.  Else returns 0.  Longer characters
   do not count: most are in text without blanks, such as Chinese, where nothing shows where a name begins. */
static inline size_t module_char_length_before(const char *text, size_t least, size_t at)
{
	if (at > least && is_module_char(text[at - 1]))
		return 1;
	const unsigned char first = at > least + 1 ? (unsigned char)text[at - 2] : 0;
	return first >= 0xc3 && first < 0xe0 && !begins_character(text[at - 1]) ? 2 : 0;
}

/* Returns the number of UTF-8 characters in TEXT.  Mailers, which wrap long lines, count these, not bytes. */
static inline size_t count_columns(const char *text, size_t length)
{
	size_t columns = 0;
	for (size_t at = 0; at < length; at++)
		columns += begins_character(text[at]);
	return columns;
}

/* Whether WORD is anywhere in the LENGTH bytes at TEXT, also inside a longer word. */
static inline bool contains_word(const char *text, size_t length, const char *word)
{
	const size_t n = strlen(word);
	size_t at = 0;
	while (at + n <= length && memcmp(text + at, word, n) != 0)
		at++;
	return at + n <= length;
}

#endif
