/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - how strangers' strings are shown
 *
 * Names out of symbol tables, archives and logs go to terminals.  Masked, a control character (and a byte of 0x80 to
 * 0x9f that is no part of a UTF-8 character: some terminals obey those too) is shown as "?".
 */
#ifndef LOG_MASK_H
#define LOG_MASK_H

#include "tool/text.h"

#include <stddef.h>

void text_add_masked(struct text *text, const char *bytes, size_t length);

/* How many bytes at P, of LENGTH, are one UTF-8 character; 0 if they are none. */
size_t utf8_length(const char *p, size_t length);

/* BYTES masked, for a message: in BUFFER, cut to what fits. */
const char *mask(char *buffer, size_t size, const char *bytes, size_t length);

#endif
