/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf.h - recognises UTF-8 characters in bytes of any encoding */
#ifndef TOOL_UTF_H
#define TOOL_UTF_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the length of the valid UTF-8 character with which the LENGTH bytes at P begin; 0: they begin with none. */
size_t utf8_length(const char *p, size_t length);

/* As utf8_length(), but returns 0 also for a control character: U+0000 to U+001F, U+007F to U+009F. */
size_t utf8_printable(const char *p, size_t length);

/* Whether the UTF-8 character of LENGTH bytes at P can make a reader see another text than there is: it changes the
   direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), or it is an invisible tag
   (U+E0000 to U+E007F). */
bool utf8_misleads(const char *p, size_t length);

#endif
