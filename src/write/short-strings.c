// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/short-strings.h"
#include "core/layout.h"

#include <string.h>

static bool continues_character(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

/* Cut TEXT, which has *LENGTH bytes, to at most RS_STRING_LENGTH_MAX: keep the beginning of a name, and the end of a
   path.  Returns where that part begins, and stores its length in *LENGTH.  No UTF-8 character is cut in two. */
static const char *cut_text(const char *text, uint32_t *length, bool path)
{
	if (!path) {
		*length = RS_STRING_LENGTH_MAX;
		for (int i = 0; i < 3 && continues_character(text[*length]); i++)
			--*length;
		return text;
	}
	text += *length - RS_STRING_LENGTH_MAX;
	*length = RS_STRING_LENGTH_MAX;
	for (int i = 0; i < 3 && continues_character(*text); i++) {
		text++;
		--*length;
	}
	return text;
}

/* The string with this NUMBER and INDEX is too long: add its short form.  Returns 0 or -1. */
static int add_short_form(struct rs_short_strings *strings, uint32_t number, bool path, uint32_t index,
			  struct rossym_error *err)
{
	struct rs_pool *pool = &strings->pool;
	const char *text = rs_string(pool->strings, number);
	uint32_t length = rs_string_length(pool->strings, number), shorter_number, shorter;
	const char *other = strings->shorten && !path ? strings->shorten(strings->context, text) : NULL;
	size_t other_length = other ? strlen(other) : 0;
	if (other_length > 0 && other_length <= RS_STRING_LENGTH_MAX) {
		text = other;
		length = (uint32_t)other_length;
	} else {
		text = cut_text(text, &length, path);
	}
	if (rs_strings_add(pool->strings, text, length, &shorter_number, err) < 0)
		return -1;
	/* The block finds a whole string by the offset of its short form, so no other string may have that offset.  If
	   a row has the text of the short form as its own string, or another long string has the same short form, add a
	   second copy. */
	shorter = rs_pool_index(pool, shorter_number);
	bool again = shorter && (pool->items[shorter].is_in_rows || pool->items[shorter].is_short_form);
	if ((again ? rs_pool_add_again : rs_pool_add)(pool, shorter_number, &shorter, err) < 0)
		return -1;
	pool->items[shorter].is_short_form = true;
	pool->items[index].written_as = shorter;
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
	if (index == 0 || pool->items[index].is_in_rows)
		return 0;
	if (pool->items[index].length > RS_STRING_LENGTH_MAX && add_short_form(strings, number, path, index, err) < 0)
		return -1;
	pool->items[index].is_in_rows = true;
	return 0;
}
