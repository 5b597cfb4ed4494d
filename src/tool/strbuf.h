/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf.h - a text that grows */
#ifndef TOOL_STRBUF_H
#define TOOL_STRBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty text. */
struct strbuf {
	char *bytes; /* length of them and a NUL; NULL as long as nothing was added */
	size_t length, size;
	bool no_memory; /* something could not be added */
};

void strbuf_add(struct strbuf *text, const char *more);
bool strbuf_add_bytes(struct strbuf *text, const char *more, size_t length); /* false: no memory */
void strbuf_add_char(struct strbuf *text, char c);
void strbuf_add_decimal(struct strbuf *text, uint64_t number);
void strbuf_add_hex(struct strbuf *text, uint64_t number); /* lower case, no leading zeros */
void strbuf_clear(struct strbuf *text);			   /* frees it; it can be used again */

/* Whether both have the same bytes. */
bool strbuf_is_same(const struct strbuf *a, const struct strbuf *b);

#endif
