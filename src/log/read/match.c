// SPDX-License-Identifier: GPL-2.0-or-later
/* match.c - the functions that several matchers (match.h) share */
#include "config.h"
#include "log/read/match.h"
#include "log/read/chars.h"

#include <string.h>

size_t match_find_trimmed_end(const struct tokens *t)
{
	size_t end = t->length;
	while (end > 0 && (is_blank(t->text[end - 1]) || t->text[end - 1] == '\r'))
		end--;
	return end;
}

/* Whether the word before C ends at C.  Moves C after the full stop of a sentence, if there is one. */
static bool is_end_of_word(struct cursor *c)
{
	cursor_read_char(c, '.');
	return cursor_is_at_end(c) || match_is_boundary(c->text[c->at]);
}

/* As match_make_absolute(), but NUMBER may be 0. */
static enum match make_number_token(struct tokens *t, size_t begin, size_t end, uint64_t number,
				    enum is_return is_return)
{
	struct token *token = &t->token;
	/* In "7c920000+f0a1   C:\ReactOS\ntdll.dll", the first number is a base, which another form reads. */
	if (end < t->length && t->text[end] == '+')
		return MATCH_NONE;
	/* A note inside a word would not be read as a note later (plain.c). */
	if (end > 0 && end < t->length && is_word_char(t->text[end - 1]) && is_word_char(t->text[end]))
		return MATCH_NONE;
	*token = (struct token){
		.begin = begin, .end = end, .note = end, .absolute = true, .number = number, .is_return = is_return
	};
	t->at = end;
	return MATCH_TOKEN;
}

enum match match_make_absolute(struct tokens *t, size_t begin, size_t end, uint64_t number, enum is_return is_return)
{
	return number == 0 ? MATCH_NONE : make_number_token(t, begin, end, number, is_return);
}

enum match match_make_relative(struct tokens *t, size_t begin, size_t end, struct module_offset place,
			       enum is_return is_return)
{
	enum match match = make_number_token(t, begin, end, place.rva, is_return);
	if (match != MATCH_TOKEN)
		return match;
	t->token.absolute = false;
	t->token.module = place.module;
	t->token.module_length = place.module_length;
	/* "see:1234" is more likely a word and a number than a module without extension and an RVA. */
	t->token.tentative = !match_may_have_extension(place.module, place.module_length);
	return match;
}

bool match_is_boundary(char c)
{
	static const char marks[] = "()[]<>{}\"'`*|,;:!?\\";
	return is_blank(c) || is_control(c) || memchr(marks, c, sizeof marks - 1) != NULL;
}

enum match match_make_written(struct tokens *t, size_t begin, size_t end, const char *module, size_t length,
			      uint64_t rva)
{
	struct cursor c = cursor_make(t, end);
	if (!is_end_of_word(&c))
		return MATCH_NONE;
	enum match match = match_make_relative(t, begin, end, make_module_offset(module, length, rva), IS_OPEN);
	if (match == MATCH_TOKEN)
		t->token.tentative = true;
	return match;
}

enum match match_make_loaded_fact(struct tokens *t, size_t at, const char *module, size_t length, uint64_t base,
				  uint64_t size)
{
	t->fact = (struct fact){
		.kind = FACT_LOADED, .module = module, .module_length = length, .base = base, .size = size
	};
	t->at = at;
	return MATCH_FACT;
}

bool match_has_separator(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (is_separator(text[i]))
			return true;
	return false;
}

bool match_is_absolute_path(const char *text, size_t length)
{
	return length > 0 &&
	       (is_separator(text[0]) || (length > 2 && is_letter(text[0]) && text[1] == ':' && is_separator(text[2])));
}

bool match_may_have_extension(const char *name, size_t length)
{
	return length > 4 && memchr(name, '.', length) != NULL;
}

bool match_is_module_name(const char *name, size_t length)
{
	/* The same extensions as in lib/set/set-modules.c, which programs cannot include. */
	static const char *const extensions[] = { ".exe", ".dll", ".sys", ".drv", ".cpl",
						  ".ocx", ".acm", ".ax",  ".scr", ".efi" };
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
		const size_t n = strlen(extensions[i]);
		if (length > n && equal_ignoring_case(name + length - n, extensions[i], n))
			return true;
	}
	return false;
}
