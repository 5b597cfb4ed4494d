// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Make room for LENGTH more bytes and a NUL.  False: no memory. */
static bool make_text_room(struct strbuf *text, size_t length)
{
	if (length < text->size - text->length)
		return true;
	size_t size = (text->length + length + 1) * 2;
	char *bytes = length < SIZE_MAX / 4 - text->length ? realloc(text->bytes, size) : NULL;
	if (!bytes) {
		text->no_memory = true;
		return false;
	}
	text->bytes = bytes;
	text->size = size;
	return true;
}

bool strbuf_add_bytes(struct strbuf *text, const char *more, size_t length)
{
	if (!make_text_room(text, length))
		return false;
	if (length > 0)
		memcpy(text->bytes + text->length, more, length);
	text->length += length;
	text->bytes[text->length] = '\0';
	return true;
}

void strbuf_add(struct strbuf *text, const char *more)
{
	strbuf_add_bytes(text, more, strlen(more));
}

void strbuf_add_char(struct strbuf *text, char c)
{
	strbuf_add_bytes(text, &c, 1);
}

/* Append NUMBER in BASE, which is at least 10 and at most 16. */
static void add_number(struct strbuf *text, uint64_t number, unsigned base)
{
	char digits[20], *end = digits + sizeof digits, *p = end;
	do
		*--p = "0123456789abcdef"[number % base];
	while (number /= base);
	strbuf_add_bytes(text, p, (size_t)(end - p));
}

void strbuf_add_decimal(struct strbuf *text, uint64_t number)
{
	add_number(text, number, 10);
}

void strbuf_add_hex(struct strbuf *text, uint64_t number)
{
	add_number(text, number, 16);
}

void strbuf_addf(struct strbuf *text, const char *format, ...)
{
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	const int length = vsnprintf(NULL, 0, format, args);
	if (length > 0 && make_text_room(text, (size_t)length)) {
		vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
		text->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

void strbuf_clear(struct strbuf *text)
{
	free(text->bytes);
	*text = (struct strbuf){ 0 };
}

bool strbuf_is_same(const struct strbuf *a, const struct strbuf *b)
{
	return a->length == b->length && (a->length == 0 || memcmp(a->bytes, b->bytes, a->length) == 0);
}

char *copy_text(const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}
