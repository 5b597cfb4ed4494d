/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - JSON, compact or indented by two blanks, laid out as LLVM's tools do it
 *
 * Values are written in the order of the calls; inside an object, json_key() must come before each.  The output is valid UTF-8
 * for all strings: a byte that is no part of valid UTF-8 is written as if it were Latin-1, "\u00e9".  Control characters are
 * escaped, including those from U+007F to U+009F, which JSON would allow.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "tool/out.h"

struct json {
	bool indent;
	bool after_value;	/* the next value needs a comma before it */
	bool after_key;
	unsigned depth;
};

void json_open(struct json *json, struct out *out, char bracket);	/* '[' or '{' */
void json_close(struct json *json, struct out *out, char bracket);	/* ']' or '}' */
void json_key(struct json *json, struct out *out, const char *key);
void json_string(struct json *json, struct out *out, const char *text, size_t length);
void json_number(struct json *json, struct out *out, uint64_t number);
void json_hex(struct json *json, struct out *out, uint64_t number);	/* "0x1a", a string */
void json_word(struct json *json, struct out *out, const char *word);	/* true, false, null */

/* The bytes of a string, without quotes and whatever is around it. */
void json_escape(struct out *out, const char *text, size_t length);

/* How many of the LENGTH bytes at TEXT need no escape, from the first on. */
size_t json_plain_length(const char *text, size_t length);

enum { JSON_BLOCK = 32 };

/* Whether none of the first LENGTH bytes of TEXT needs an escape; LENGTH is at most JSON_BLOCK, and so many bytes can be read.  It can
   be false for bytes that need none, on a big-endian host. */
bool json_is_plain(const char *text, size_t length);

/* The end of a text: a newline. */
void json_end(struct json *json, struct out *out);

#endif
