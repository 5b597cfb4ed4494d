/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf.h - a string that grows */
#ifndef TOOL_STRBUF_H
#define TOOL_STRBUF_H

#include "compat/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zeros is an empty string. */
struct strbuf {
	char *bytes;	     /* LENGTH bytes and a NUL; NULL if nothing was ever added */
	size_t length, size; /* bytes used, without the NUL; bytes allocated */
	bool no_memory;	     /* something was not added, because there was no memory */
};

void strbuf_add(struct strbuf *text, const char *more);
bool strbuf_add_bytes(struct strbuf *text, const char *more, size_t length); /* false: no memory */
void strbuf_add_char(struct strbuf *text, char c);
void strbuf_add_decimal(struct strbuf *text, uint64_t number);
void strbuf_add_hex(struct strbuf *text, uint64_t number); /* lower case, no leading zeros */
void strbuf_addf(struct strbuf *text, const char *format, ...) COMPAT_PRINTF(2, 3);
void strbuf_clear(struct strbuf *text); /* frees the memory; the string is empty and can be used */

bool strbuf_is_same(const struct strbuf *a, const struct strbuf *b);

/* Returns a copy of the first LENGTH bytes of TEXT, with a NUL after them, which the caller frees; NULL: no memory.
   Windows has no strndup(). */
char *copy_text(const char *text, size_t length);

#endif
