/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - makes untrusted strings harmless for a terminal
 *
 * Names come from images, archives, logs and command lines.  Masking replaces these bytes by "?":
 *
 *	each byte of a control character
 *	each byte of a character that makes a reader see another text (utf8_misleads())
 *	a byte from 0x80 to 0x9f that is no part of valid UTF-8, because some terminals treat it as a control character
 *
 * All other bytes stay, including letters of other encodings.
 */
#ifndef TOOL_MASK_H
#define TOOL_MASK_H

#include "tool/strbuf.h"

#include <stddef.h>

/* Mask BYTES in place. */
void mask_text(char *bytes, size_t length);

/* Append the LENGTH bytes at BYTES to TEXT, masked. */
void strbuf_add_masked(struct strbuf *text, const char *bytes, size_t length);

#endif
