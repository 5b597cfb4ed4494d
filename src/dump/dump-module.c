// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/dump-module.h"
#include "core/bytes.h"

#include <stddef.h>

/* Append the character CODE as UTF-8 to NAME, from *AT on.  What would end a name in a log becomes
   another character. */
static void put_character(char *name, size_t *at, uint32_t code)
{
	if (code == ' ')
		code = '_';
	if (code < 0x20 || code == 0x7f)
		code = '?';
	if (code < 0x80) {
		name[(*at)++] = (char)code;
		return;
	}
	const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
	static const unsigned first[] = { 0, 0xc0, 0xe0, 0xf0 };
	name[(*at)++] = (char)(first[more] | code >> 6 * more);
	for (int i = more - 1; i >= 0; i--)
		name[(*at)++] = (char)(0x80 | (code >> 6 * i & 0x3f));
}

void rs_dump_name(char *name, const uint8_t *units, uint32_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t code = rs_le16(units + 2 * i);
		if (code == 0)
			break;
		if (code == '\\' || code == '/') {
			at = 0;
			continue;
		}
		if ((code & 0xfc00) == 0xd800 && i + 1 < count && (rs_le16(units + 2 * i + 2) & 0xfc00) == 0xdc00)
			code = 0x10000 + ((code & 0x3ff) << 10) + (rs_le16(units + 2 * ++i) & 0x3ff);
		put_character(name, &at, (code & 0xfffff800) == 0xd800 ? '?' : code);
	}
	name[at] = '\0';
}
