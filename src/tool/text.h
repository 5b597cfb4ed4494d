/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text.h - a text that grows */
#ifndef TOOL_TEXT_H
#define TOOL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty text. */
struct text {
	char *bytes; /* length of them and a NUL; NULL as long as nothing was added */
	size_t length, size;
	bool no_memory; /* something could not be added */
};

void text_add(struct text *text, const char *more);
bool text_add_bytes(struct text *text, const char *more, size_t length); /* false: no memory */
void text_add_char(struct text *text, char c);
void text_add_decimal(struct text *text, uint64_t number);
void text_add_hex(struct text *text, uint64_t number); /* lower case, no leading zeros */
void text_clear(struct text *text);		       /* frees it; it can be used again */

/* Whether both have the same bytes. */
bool text_is_same(const struct text *a, const struct text *b);

#endif
