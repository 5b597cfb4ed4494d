// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/dump-module.h"
#include "core/bytes.h"

#include <stddef.h>
#include <string.h>

/* Append the character CODE to NAME as UTF-8, at index *AT.  Blanks and control characters would end a name in a log,
   so they become '_' and '?'. */
static void append_character(char *name, size_t *at, uint32_t code)
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

/* Decode the character that begins at unit *I of COUNT UNITS.  *I becomes the index of its last unit: of a surrogate
   pair, the second. */
static uint32_t decode_character(const uint8_t *units, size_t count, size_t *i)
{
	const uint32_t code = rs_le16(units + 2 * *i);
	if ((code & 0xfc00) == 0xd800 && *i + 1 < count && (rs_le16(units + 2 * *i + 2) & 0xfc00) == 0xdc00)
		return 0x10000 + ((code & 0x3ff) << 10) + (rs_le16(units + 2 * ++*i) & 0x3ff);
	return (code & 0xf800) == 0xd800 ? '?' : code;
}

void rs_dump_name(char *name, const uint8_t *units, uint32_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t code = decode_character(units, count, &i);
		if (code == 0)
			break;
		if (code == '\\' || code == '/')
			at = 0;
		else
			append_character(name, &at, code);
	}
	name[at] = '\0';
}

void rs_dump_label(char *name, const uint8_t *units, uint32_t count)
{
	size_t at = 0;
	for (size_t i = 0; i < count; i++) {
		const uint32_t code = decode_character(units, count, &i);
		if (code == 0)
			break;
		append_character(name, &at, code < 0x80 && strchr("()<>[]{}+=:!*,", (int)code) ? '?' : code);
	}
	name[at] = '\0';
}

void rs_dump_version(struct dump_module *module, const uint8_t *info)
{
	const uint32_t signature = 0xfeef04bd;
	if (rs_le32(info) != signature)
		return;
	module->version[0] = rs_le16(info + 10);
	module->version[1] = rs_le16(info + 8);
	module->version[2] = rs_le16(info + 14);
	module->version[3] = rs_le16(info + 12);
}

/* ------------------------------------------------------------------------------------------------ loader entries */

/* Offsets of the fields of an entry; SIZE: all of them are in the first SIZE bytes of the entry. */
struct entry_layout {
	uint8_t size, base, image_size, full_name, name, checksum, stamp;
};

static const struct entry_layout layout_32 = { 0x48, 0x18, 0x20, 0x24, 0x2c, 0x40, 0x44 };
static const struct entry_layout layout_64 = { 0x88, 0x30, 0x40, 0x48, 0x58, 0x78, 0x80 };

static const struct entry_layout *entry_layout_of(bool wide)
{
	return wide ? &layout_64 : &layout_32;
}

uint32_t rs_loader_entry_size(bool wide)
{
	return entry_layout_of(wide)->size;
}

void rs_loader_entry_read_module(bool wide, const uint8_t *entry, struct dump_module *module)
{
	const struct entry_layout *layout = entry_layout_of(wide);
	*module = (struct dump_module){ .base = wide ? rs_le64(entry + layout->base) : rs_le32(entry + layout->base),
					.size = rs_le32(entry + layout->image_size),
					.checksum = rs_le32(entry + layout->checksum),
					.stamp = rs_le32(entry + layout->stamp) };
}

uint32_t rs_loader_entry_read_name(bool wide, const uint8_t *entry, bool full, uint64_t *address)
{
	const uint8_t *string = entry + (full ? entry_layout_of(wide)->full_name : entry_layout_of(wide)->name);
	*address = wide ? rs_le64(string + 8) : rs_le32(string + 4);
	return rs_le16(string);
}
