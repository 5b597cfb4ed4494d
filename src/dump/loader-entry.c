// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/loader-entry.h"
#include "core/bytes.h"

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
