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

/* Add the shorter string that the one with this NUMBER and INDEX, which is too long, stands for. */
static int add_short(struct rs_short_strings *strings, uint32_t number, bool path, uint32_t index,
		     struct rossym_error *err)
{
	struct rs_pool *pool = &strings->pool;
	const char *text = rs_string(pool->strings, number);
	uint32_t length = rs_string_length(pool->strings, number), shorter_number, shorter;
	const char *other = strings->shorten && !path ? strings->shorten(strings->context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut(text, &length, path);
	}
	if (rs_strings_add(pool->strings, text, length, &shorter_number, err) < 0)
		return -1;
	/* If the shorter string is a name itself, or two long ones become the same, lay out a second copy.  So each
	   long string has an offset of its own, by which the block tells which one is meant. */
	shorter = rs_pool_index(pool, shorter_number);
	bool again = shorter && (pool->items[shorter].named || pool->items[shorter].taken);
	if ((again ? rs_pool_add_again : rs_pool_add)(pool, shorter_number, &shorter, err) < 0)
		return -1;
	pool->items[shorter].taken = true;
	pool->items[index].stands_for = shorter;
	if (path)
		strings->cut_files++;
	else
		strings->cut_functions++;
	return 0;
}

int rs_short_strings_add(struct rs_short_strings *strings, uint32_t number, bool path, struct rossym_error *err)
{
	struct rs_pool *pool = &strings->pool;
	uint32_t index;
	if (rs_pool_add(pool, number, &index, err) < 0)
		return -1;
	if (index == 0 || pool->items[index].named)
		return 0;
	if (pool->items[index].length > RS_STRING_MAX && add_short(strings, number, path, index, err) < 0)
		return -1;
	pool->items[index].named = true;
	return 0;
}
