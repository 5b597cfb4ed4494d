// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/short-strings.h"
#include "core/layout.h"

#include <string.h>

static bool continues_character(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

/* Return the part of TEXT that fits, and store its length in *LENGTH.  A name keeps its beginning and a path its end.
   No UTF-8 character is cut in two. */
static const char *cut(const char *text, uint32_t *length, bool path)
{
	if (!path) {
		*length = RS_STRING_MAX;
		for (int i = 0; i < 3 && continues_character(text[*length]); i++)
			--*length;
		return text;
	}
	text += *length - RS_STRING_MAX;
	*length = RS_STRING_MAX;
	for (int i = 0; i < 3 && continues_character(*text); i++) {
		text++;
		--*length;
	}
	return text;
}

/* Add the shorter string that NUMBER, which is TEXT and too long, stands for. */
static int add_short(struct rs_short_strings *strings, const char *text, uint32_t length, bool path, uint32_t number,
		     struct rossym_error *err)
{
	struct rs_pool *pool = &strings->pool;
	const char *other = strings->shorten && !path ? strings->shorten(strings->context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut(text, &length, path);
	}
	/* If the shorter string is a name itself, or two long ones become the same, lay out a second copy.  So each
	   long string has an offset of its own, by which the block tells which one is meant. */
	uint32_t shorter = rs_pool_find(pool, text, length);
	bool again = shorter && (pool->strings[shorter].named || pool->strings[shorter].taken);
	if ((again ? rs_pool_add_again(pool, text, length, &shorter, err)
		   : rs_pool_add(pool, text, length, &shorter, NULL, err)) < 0)
		return -1;
	pool->strings[shorter].taken = true;
	pool->strings[number].stands_for = shorter;
	if (path)
		strings->cut_files++;
	else
		strings->cut_functions++;
	return 0;
}

/* Whether TEXT is string NUMBER. */
static bool is_string(const struct rs_pool *pool, uint32_t number, const char *text)
{
	const struct rs_pool_string *string = &pool->strings[number];
	return number && text && strncmp(text, pool->text + string->at, string->length) == 0 &&
	       text[string->length] == '\0';
}

int rs_short_strings_add(struct rs_short_strings *strings, const char *text, bool path, uint32_t *ret,
			 struct rossym_error *err)
{
	int added;
	uint32_t *last = path ? &strings->last_file : &strings->last_function;
	/* Most rows have the function or the file of the row before.  Without a hash of these, a whole table takes a
	   tenth less time. */
	if (is_string(&strings->pool, *last, text)) {
		*ret = *last;
		return 0;
	}
	if (rs_pool_add_text(&strings->pool, text, ret, &added, err) < 0)
		return -1;
	struct rs_pool_string *string = &strings->pool.strings[*ret];
	string->named = true;
	/* A long string that stands for itself is left from a call that ran out of memory. */
	if (string->length > RS_STRING_MAX && (added || string->stands_for == *ret) &&
	    add_short(strings, text, string->length, path, *ret, err) < 0)
		return -1;
	*last = *ret;
	return 0;
}
