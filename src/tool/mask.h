/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - strings of unknown origin, made harmless for a terminal
 *
 * Names come out of images, archives, logs and command lines.  Masking replaces each byte of a control character by
 * "?", of a character that makes a reader see another text (utf8_misleads()), and also each byte from 0x80 to 0x9f that
 * belongs to no UTF-8 character, because some terminals take it for a control character.  All other bytes stay,
 * including letters of other encodings.
 */
#ifndef TOOL_MASK_H
#define TOOL_MASK_H

#include "tool/strbuf.h"

#include <stddef.h>

/* Mask BYTES in place. */
void mask(char *bytes, size_t length);

void strbuf_add_masked(struct strbuf *text, const char *bytes, size_t length);

#endif
