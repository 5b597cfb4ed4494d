/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * json.h - writes JSON, compact or indented by two blanks, in the layout of LLVM's tools
 *
 * Values are written in the order of the calls, each after its KEY; KEY is NULL where there is none, as in an array.
 * The output is always valid UTF-8: a byte that is no part of valid UTF-8 is written as the Latin-1 character, for
 * instance "\u00e9".  Control characters are escaped, including those from U+007F to U+009F, which JSON would allow.
 */
#ifndef TOOL_JSON_H
#define TOOL_JSON_H

#include "tool/out.h"

#include <string.h>

struct json {
	struct out *out;
	bool indent;
	/* The caller sets the next two members to 0 before the first value. */
	bool after_value; /* the next value needs a comma before it */
	unsigned depth;	  /* how many brackets are open */
};

void json_open(struct json *json, const char *key, char bracket); /* '[' or '{' */
void json_close(struct json *json, char bracket);		  /* ']' or '}' */

/* Write a string, or null if TEXT is NULL.  For json_write_string(), TEXT has LENGTH bytes; for json_write_text(), it
   ends with a NUL. */
void json_write_string(struct json *json, const char *key, const char *text, size_t length);
void json_write_text(struct json *json, const char *key, const char *text);

void json_write_number(struct json *json, const char *key, uint64_t number);
void json_write_hex(struct json *json, const char *key, uint64_t number);   /* "0x1a", a string */
void json_write_word(struct json *json, const char *key, const char *word); /* true, false, null */

/* Copy LINE, one line of a value that is already JSON in this layout.  BEGINS: LINE is the first line of that value. */
void json_copy_line(struct json *json, const char *line, bool begins);

/* Write TEXT with escapes, but without the quotes around it. */
void json_write_escaped(struct out *out, const char *text, size_t length);

/* Returns how many of the LENGTH bytes at TEXT need no escape, up to the first that needs one. */
size_t json_measure_plain(const char *text, size_t length);

/* End a JSON text with a newline.  Another JSON text may follow. */
void json_end(struct json *json);

/* How many bytes json_copy_plain() copies and tests at once. */
enum { JSON_BLOCK = 32 };

/* For json_copy_plain(): JSON_BLOCK bytes of 255, then as many of 0.  From index JSON_BLOCK - n on, JSON_BLOCK bytes
   are a mask for the first n bytes of a block. */
extern const unsigned char json_masks[JSON_BLOCK * 2];

/* Copy JSON_BLOCK bytes from TEXT to P.  Returns whether each of the first LENGTH of them, at most JSON_BLOCK, is
   ASCII and needs no escape.  The loop has no branches, so compilers make vector code of it. */
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
