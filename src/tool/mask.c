// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/mask.h"

#include <string.h>

size_t utf8_length(const char *bytes, size_t length)
{
	const unsigned char *p = (const unsigned char *)bytes;
	if (length == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	size_t want = p[0] >= 0xc2 && p[0] < 0xe0   ? 2
		      : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
		      : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
						    : 0;
	if (want == 0 || want > length)
		return 0;
	for (size_t i = 1; i < want; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Refuse overlong forms, surrogates, and numbers beyond U+10FFFF. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return want;
}

size_t utf8_printable_length(const char *p, size_t length)
{
	size_t n = utf8_length(p, length);
	if (n == 1)
		return (unsigned char)*p >= 0x20 && *p != 0x7f;
	return n == 2 && (unsigned char)p[0] == 0xc2 && (unsigned char)p[1] < 0xa0 ? 0 : n;
}

bool utf8_is_misleading(const char *p, size_t length)
{
	const unsigned char *u = (const unsigned char *)p;
	if (length == 2)
		return u[0] == 0xd8 && u[1] == 0x9c;
	if (length == 3 && u[0] == 0xe2 && u[1] == 0x80)
		return u[2] == 0x8e || u[2] == 0x8f || (u[2] >= 0xaa && u[2] <= 0xae);
	if (length == 3 && u[0] == 0xe2 && u[1] == 0x81)
		return u[2] >= 0xa6 && u[2] <= 0xa9;
	return length == 4 && u[0] == 0xf3 && u[1] == 0xa0 && (u[2] == 0x80 || u[2] == 0x81);
}

void mask_text(char *bytes, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t n = utf8_printable_length(bytes + i, length - i);
		if (n == 0 && (unsigned char)bytes[i] >= 0xa0 && utf8_length(bytes + i, length - i) == 0)
			n = 1; /* keep this byte: it is probably a letter in another encoding */
		if (utf8_is_misleading(bytes + i, n))
			memset(bytes + i, '?', n);
		if (n == 0)
			bytes[i++] = '?';
		i += n;
	}
}

void strbuf_add_masked(struct strbuf *text, const char *bytes, size_t length)
{
	if (strbuf_add_bytes(text, bytes, length))
		mask_text(text->bytes + text->length - length, length);
}
