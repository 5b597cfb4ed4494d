// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "log/mask.h"
#include "log/chars.h"

#include <string.h>

size_t utf8_length(const char *bytes, size_t length)
{
	const unsigned char *p = (const unsigned char *)bytes;
	if (length == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	size_t want = p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3
		    : p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : 0;
	if (want == 0 || want > length)
		return 0;
	for (size_t i = 1; i < want; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Longer than need be, surrogates, beyond the last plane. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return want;
}

/* How many bytes at P can be shown as they are: a whole character, or 0. */
static size_t harmless(const char *p, size_t length)
{
	size_t n = utf8_length(p, length);
	if (n == 1)
		return !is_control(*p);
	if (n == 2 && (unsigned char)p[0] == 0xc2 && (unsigned char)p[1] < 0xa0)
		return 0;	/* U+0080 to U+009F */
	if (n == 0 && (unsigned char)*p >= 0xa0)
		return 1;	/* some other encoding's letter */
	return n;
}

void text_add_masked(struct text *text, const char *bytes, size_t length)
{
	while (length > 0) {
		size_t plain = 0;
		while (plain < length && !is_control(bytes[plain]) && (unsigned char)bytes[plain] < 0x80)
			plain++;
		text_add_bytes(text, bytes, plain);
		bytes += plain;
		length -= plain;
		if (length == 0)
			return;
		size_t n = harmless(bytes, length);
		if (n)
			text_add_bytes(text, bytes, n);
		else
			text_add_char(text, '?');
		bytes += n ? n : 1;
		length -= n ? n : 1;
	}
}

const char *mask(char *buffer, size_t size, const char *bytes, size_t length)
{
	size_t used = 0;
	while (length > 0 && used + 4 < size) {
		size_t n = harmless(bytes, length);
		if (n)
			memcpy(buffer + used, bytes, n);
		else
			buffer[used] = '?';
		used += n ? n : 1;
		bytes += n ? n : 1;
		length -= n ? n : 1;
	}
	buffer[used] = '\0';
	return buffer;
}
