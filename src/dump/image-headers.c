// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/image-headers.h"
#include "dump/image-version.h"
#include "core/bytes.h"

#include <string.h>

enum {
	AT_PE = 60,
	STAMP = 8,
	OPTIONAL = 24, /* the optional header; CHECKSUM is an offset in it */
	CHECKSUM = 64,
	RESOURCES = 2, /* RESOURCES and DEBUG_DIRECTORY are indices of data directories */
	DEBUG_DIRECTORY = 6,
	HEADERS = OPTIONAL + 112 + 8 * (DEBUG_DIRECTORY + 1),
	DEBUG_ENTRY = 28,
	DEBUG_ENTRIES = 32, /* the most that are read */
	DEBUG_CODEVIEW = 2,
};

/* Store GUID and age of the PDB file, if ENTRY of the debug directory points to a CodeView record with them.  Returns
   whether it does. */
static bool read_pdb_key(const struct dump_memory *memory, struct dump_module *module, const uint8_t *entry)
{
	uint8_t record[4 + DUMP_KEY];
	const struct dump_range image = { module->base, module->size };
	if (rs_le32(entry + 12) != DEBUG_CODEVIEW ||
	    !rs_image_read(memory, &image, rs_le32(entry + 20), record, sizeof record) ||
	    memcmp(record, "RSDS", 4) != 0)
		return false;
	memcpy(module->key, record + 4, DUMP_KEY);
	return module->has_key = true;
}

void rs_image_headers_read(const struct dump_memory *memory, struct dump_module *module)
{
	uint8_t bytes[HEADERS], entry[DEBUG_ENTRY];
	const struct dump_range image = { module->base, module->size };
	if (!rs_image_read(memory, &image, 0, bytes, AT_PE + 4) || memcmp(bytes, "MZ", 2) != 0)
		return;
	const uint32_t at_pe = rs_le32(bytes + AT_PE);
	if (!rs_image_read(memory, &image, at_pe, bytes, sizeof bytes) || memcmp(bytes, "PE\0", 4) != 0)
		return;
	const uint16_t magic = rs_le16(bytes + OPTIONAL);
	if (magic != 0x10b && magic != 0x20b)
		return;
	module->stamp = rs_le32(bytes + STAMP);
	module->checksum = rs_le32(bytes + OPTIONAL + CHECKSUM);
	/* At DIRECTORY is NumberOfRvaAndSizes, and after it are the data directories. */
	const uint8_t *directory = bytes + OPTIONAL + (magic == 0x20b ? 108 : 92);
	if (rs_le32(directory) > RESOURCES)
		rs_image_version_read(memory, module, rs_le32(directory + 4 + 8 * RESOURCES));
	if (rs_le32(directory) <= DEBUG_DIRECTORY)
		return;
	const uint32_t rva = rs_le32(directory + 4 + 8 * DEBUG_DIRECTORY);
	const uint32_t count = rs_le32(directory + 8 + 8 * DEBUG_DIRECTORY) / DEBUG_ENTRY;
	for (uint32_t i = 0; i < count && i < DEBUG_ENTRIES; i++)
		if (!rs_image_read(memory, &image, rva + (uint64_t)i * DEBUG_ENTRY, entry, sizeof entry) ||
		    read_pdb_key(memory, module, entry))
			break;
}
