// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/json.h"
#include "tool/digits.h"
#include "tool/mask.h"

#include <string.h>

/* If the output is indented, begin a new line with its indentation. */
static void begin_line(struct json *json)
{
	if (!json->indent)
		return;
	out_char(json->out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		out_text(json->out, "  ");
}

static void write_quoted(struct out *out, const char *text, size_t length)
{
	out_char(out, '"');
	json_write_escaped(out, text, length);
	out_char(out, '"');
}

/* Write what comes before a value: a comma after another value; inside brackets, a new line if `indent` is set; KEY. */
static void begin_value(struct json *json, const char *key)
{
	if (json->after_value)
		out_char(json->out, ',');
	if (json->depth > 0)
		begin_line(json);
	if (key) {
		write_quoted(json->out, key, strlen(key));
		out_text(json->out, json->indent ? ": " : ":");
	}
	json->after_value = true;
}

void json_open(struct json *json, const char *key, char bracket)
{
	begin_value(json, key);
	out_char(json->out, bracket);
	json->depth++;
	json->after_value = false;
}

void json_close(struct json *json, char bracket)
{
	json->depth--;
	if (json->after_value)
		begin_line(json);
	out_char(json->out, bracket);
	json->after_value = true;
}

void json_copy_line(struct json *json, const char *line, bool begins)
{
	if (begins)
		begin_value(json, NULL);
	else
		begin_line(json);
	out_text(json->out, line);
}

/* Write byte C as an escape: \n, \t and so on if it has a letter, else \u00XX. */
static void write_escape(struct out *out, unsigned char c)
{
	static const char letters[] = "\"\"\\\\t\tn\nr\r"; /* pairs: the letter of an escape, and its byte */
	for (const char *p = letters; *p; p += 2)
		if ((unsigned char)p[1] == c) {
			out_char(out, '\\');
			out_char(out, p[0]);
			return;
		}
	out_text(out, "\\u");
	out_hex(out, c, 4);
}

const unsigned char json_masks[JSON_BLOCK * 2] = {
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
	255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
};

size_t json_measure_plain(const char *text, size_t length)
{
	char copy[JSON_BLOCK];
	size_t i = 0, size = 1;
	for (; size > 0 && i < length; i += size) {
		while (length - i >= JSON_BLOCK && json_copy_plain(copy, text + i, JSON_BLOCK))
			i += JSON_BLOCK;
		while (i < length && text[i] >= 0x20 && text[i] < 0x7f && text[i] != '"' && text[i] != '\\')
			i++;
		size = i < length && text[i] != '"' && text[i] != '\\' ? utf8_printable_length(text + i, length - i)
								       : 0;
	}
	return i;
}

void json_write_escaped(struct out *out, const char *text, size_t length)
{
	while (length > 0) {
		size_t plain = json_measure_plain(text, length);
		out_bytes(out, text, plain);
		text += plain;
		length -= plain;
		if (length == 0)
			break;
		/* A character of two bytes that needs an escape is from U+0080 to U+009F, and its second byte equals
		   its number.  Everything else here is a single byte, ASCII or invalid. */
		size_t size = utf8_length(text, length) == 2 ? 2 : 1;
		write_escape(out, (unsigned char)text[size - 1]);
		text += size;
		length -= size;
	}
}

void json_write_string(struct json *json, const char *key, const char *text, size_t length)
{
	if (!text) {
		json_write_word(json, key, "null");
		return;
	}
	begin_value(json, key);
	write_quoted(json->out, text, length);
}

void json_write_text(struct json *json, const char *key, const char *text)
{
	json_write_string(json, key, text, text ? strlen(text) : 0);
}

void json_write_number(struct json *json, const char *key, uint64_t number)
{
	begin_value(json, key);
	out_decimal(json->out, number);
}

void json_write_hex(struct json *json, const char *key, uint64_t number)
{
	begin_value(json, key);
	out_text(json->out, "\"0x");
	out_hex(json->out, number, hex_digit_count(number));
	out_char(json->out, '"');
}

void json_write_word(struct json *json, const char *key, const char *word)
{
	begin_value(json, key);
	out_text(json->out, word);
}

void json_end(struct json *json)
{
	out_char(json->out, '\n');
	json->after_value = false;
}
