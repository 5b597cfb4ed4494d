// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "tool/mask.h"
#include "tool/utf.h"

#include <string.h>

void mask_text(char *bytes, size_t length)
{
	for (size_t i = 0; i < length;) {
		size_t n = utf8_printable(bytes + i, length - i);
		if (n == 0 && (unsigned char)bytes[i] >= 0xa0 && utf8_length(bytes + i, length - i) == 0)
			n = 1; /* a letter of another encoding */
		if (utf8_misleads(bytes + i, n))
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
