/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - JSON, compact or indented by two blanks, laid out as LLVM's tools do it
 *
 * Values are written in the order of the calls; inside an object, json_key() must come before each.  The output is
 * valid UTF-8 for all strings: a byte that is no part of valid UTF-8 is written as if it were Latin-1, "\u00e9".
 * Control characters are escaped, including those from U+007F to U+009F, which JSON would allow.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "tool/out.h"

#include <string.h>

struct json {
	bool indent;
	bool after_value; /* the next value needs a comma before it */
	bool after_key;
	unsigned depth;
};

void json_open(struct json *json, struct out *out, char bracket);  /* '[' or '{' */
void json_close(struct json *json, struct out *out, char bracket); /* ']' or '}' */
void json_key(struct json *json, struct out *out, const char *key);
void json_string(struct json *json, struct out *out, const char *text, size_t length);
void json_number(struct json *json, struct out *out, uint64_t number);
void json_hex(struct json *json, struct out *out, uint64_t number);   /* "0x1a", a string */
void json_word(struct json *json, struct out *out, const char *word); /* true, false, null */

/* The bytes of a string, without quotes and whatever is around it. */
void json_escape(struct out *out, const char *text, size_t length);

/* How many of the LENGTH bytes at TEXT need no escape, from the first on. */
size_t json_plain_length(const char *text, size_t length);

/* The end of a text: a newline. */
void json_end(struct json *json, struct out *out);

enum { JSON_BLOCK = 32 };

/* From element JSON_BLOCK - n on there are n bytes 255 and then 0. */
extern const unsigned char json_masks[JSON_BLOCK * 2];

/* Copy JSON_BLOCK bytes from TEXT to P.  Returns whether each of the first LENGTH, at most JSON_BLOCK, is ASCII and
   needs no escape. */
static inline bool json_copy_plain(char *p, const char *text, size_t length)
{
	const unsigned char *mask = json_masks + JSON_BLOCK - length;
	unsigned char escaped = 0;
	memcpy(p, text, JSON_BLOCK);
	for (size_t i = 0; i < JSON_BLOCK; i++)
		escaped |= mask[i] & (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\' ? 255 : 0);
	return !escaped;
}

#endif
