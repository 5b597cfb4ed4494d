// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_add_bytes(struct text *text, const char *more, size_t length)
{
	if (text->length + length >= text->size) {
		size_t size = (text->length + length + 1) * 2;
		char *bytes = realloc(text->bytes, size);
		if (!bytes) {
			text->no_memory = true;
			return false;
		}
		text->bytes = bytes;
		text->size = size;
	}
	if (length > 0)
		memcpy(text->bytes + text->length, more, length);
	text->length += length;
	text->bytes[text->length] = '\0';
	return true;
}

void text_add(struct text *text, const char *more)
{
	text_add_bytes(text, more, strlen(more));
}

void text_add_decimal(struct text *text, uint64_t number)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%" PRIu64, number);
	text_add(text, digits);
}

void text_clear(struct text *text)
{
	free(text->bytes);
	*text = (struct text){ 0 };
}

bool text_is_same(const struct text *a, const struct text *b)
{
	return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}
