// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/json.h"

#include <string.h>

static void new_line(struct json *json, struct out *out)
{
	if (!json->indent)
		return;
	out_char(out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		out_text(out, "  ");
}

static void before_value(struct json *json, struct out *out)
{
	if (json->after_key) {
		json->after_key = false;
		return;
	}
	if (json->after_value)
		out_char(out, ',');
	if (json->depth > 0)
		new_line(json, out);
}

void json_open(struct json *json, struct out *out, char bracket)
{
	before_value(json, out);
	out_char(out, bracket);
	json->depth++;
	json->after_value = false;
}

void json_close(struct json *json, struct out *out, char bracket)
{
	json->depth--;
	if (json->after_value)
		new_line(json, out);
	out_char(out, bracket);
	json->after_value = true;
}

/* How many bytes at TEXT are one character of valid UTF-8; 0: none.  The shortest form only, and no surrogates. */
static size_t character(const char *text, size_t length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)text[0];
	size_t size = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
	if (size <= 1 || size > length)
		return size <= length ? size : 0;
	uint32_t code = first & (0x7fu >> size);
	for (size_t i = 1; i < size; i++) {
		unsigned char next = (unsigned char)text[i];
		if ((next & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (next & 0x3f);
	}
	return code < least[size] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : size;
}

static void put_escape(struct out *out, unsigned char c)
{
	static const char letters[] = "\"\"\\\\t\tn\nr\r";
	for (const char *p = letters; *p; p += 2)
		if ((unsigned char)p[1] == c) {
			out_char(out, '\\');
			out_char(out, p[0]);
			return;
		}
	out_text(out, "\\u");
	out_hex(out, c, 4);
}

static void put_quoted(struct out *out, const char *text, size_t length)
{
	size_t plain = 0, i = 0;	/* what stands from plain to i needs no escape */
	out_char(out, '"');
	while (i < length) {
		unsigned char c = (unsigned char)text[i];
		size_t size = c >= 0x20 && c != '"' && c != '\\' ? character(text + i, length - i) : 0;
		if (size > 0) {
			i += size;
			continue;
		}
		out_bytes(out, text + plain, i - plain);
		put_escape(out, c);
		plain = ++i;
	}
	out_bytes(out, text + plain, i - plain);
	out_char(out, '"');
}

void json_key(struct json *json, struct out *out, const char *key)
{
	before_value(json, out);
	put_quoted(out, key, strlen(key));
	out_text(out, json->indent ? ": " : ":");
	json->after_key = true;
}

void json_string(struct json *json, struct out *out, const char *text, size_t length)
{
	before_value(json, out);
	put_quoted(out, text, length);
	json->after_value = true;
}

void json_number(struct json *json, struct out *out, uint64_t number)
{
	before_value(json, out);
	out_decimal(out, number);
	json->after_value = true;
}

void json_hex(struct json *json, struct out *out, uint64_t number)
{
	before_value(json, out);
	out_text(out, "\"0x");
	out_hex(out, number, out_hex_digits(number));
	out_char(out, '"');
	json->after_value = true;
}

void json_end(struct json *json, struct out *out)
{
	out_char(out, '\n');
	json->after_value = false;
}
