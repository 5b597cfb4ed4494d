/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mask.h - how strangers' strings are shown on a terminal
 *
 * Names come out of images, archives, logs and command lines.  Masked, each byte of a control character is "?", and so is
 * a byte of 0x80 to 0x9f that belongs to no UTF-8 character: some terminals take it for a control character.  All other
 * bytes stay, also those of another encoding.
 */
#ifndef TOOL_MASK_H
#define TOOL_MASK_H

#include "tool/text.h"

#include <stddef.h>

/* Mask BYTES where they are. */
void mask(char *bytes, size_t length);

void text_add_masked(struct text *text, const char *bytes, size_t length);

#endif
