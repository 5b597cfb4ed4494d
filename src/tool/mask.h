/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - recognises UTF-8 characters in bytes of any encoding; makes untrusted strings harmless for a terminal
 *
 * Names come from images, archives, logs and command lines.  Masking replaces these bytes by "?":
 *
 *	each byte of a control character
 *	each byte of a character that makes a reader see another text (utf8_is_misleading())
 *	a byte from 0x80 to 0x9f that is no part of valid UTF-8, because some terminals treat it as a control character
 *
 * All other bytes stay, including letters of other encodings.
 */
#ifndef TOOL_MASK_H
#define TOOL_MASK_H

#include "tool/strbuf.h"

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the valid UTF-8 character with which the LENGTH bytes at P begin; 0: they begin with none. */
size_t utf8_length(const char *p, size_t length);

/* As utf8_length(), but returns 0 also for a control character: U+0000 to U+001F, U+007F to U+009F. */
size_t utf8_printable_length(const char *p, size_t length);

/* Whether the UTF-8 character of LENGTH bytes at P can make a reader see another text than there is: it changes the
   direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), or it is an invisible tag
   (U+E0000 to U+E007F). */
bool utf8_is_misleading(const char *p, size_t length);

/* Mask the LENGTH bytes at BYTES in place. */
void mask_text(char *bytes, size_t length);

/* Append the LENGTH bytes at BYTES to TEXT, masked. */
void strbuf_add_masked(struct strbuf *text, const char *bytes, size_t length);

#endif
