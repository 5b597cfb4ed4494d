/* SPDX-License-Identifier: GPL-2.0-or-later */
/* utf.h - recognise UTF-8 characters in bytes of any encoding */
#ifndef TOOL_UTF_H
#define TOOL_UTF_H

#include <stdbool.h>
#include <stddef.h>

/* How many of the LENGTH bytes at P are one character of valid UTF-8; 0 if they begin with none. */
size_t utf8_length(const char *p, size_t length);

/* As utf8_length(), but 0 for a control character, too: U+0000 to U+001F, U+007F to U+009F. */
size_t utf8_printable(const char *p, size_t length);

/* Whether the character at P, which has LENGTH bytes, makes a reader see another text than there is: it changes the
   direction of what follows (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), or is a tag, which nobody
   sees (U+E0000 to U+E007F). */
bool utf8_misleads(const char *p, size_t length);

#endif
