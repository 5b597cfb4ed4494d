// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/image-version.h"
#include "core/bytes.h"

enum {
	DIRECTORY = 16,
	NAMED = 12, /* offset of two counts: of the entries with names, then of those with ids */
	ENTRY = 8,
	ENTRIES_MAX = 256, /* the most entries of a directory that are read; Windows defines 24 types of resources */
	RT_VERSION = 16,
	/* Offset of VS_FIXEDFILEINFO in the resource.  Before it are a header and "VS_VERSION_INFO" in UTF-16. */
	VERSION_INFO = 40,
	RESOURCE = VERSION_INFO + DUMP_VERSION_INFO,
};

#define IS_DIRECTORY UINT32_C(0x80000000) /* flag of an offset: it leads to a directory, not to data */

/* Find the entry of TYPE (0: the first entry) in a resource directory, which is AT bytes after the root directory at
   RVA ROOT.  Returns the offset from ROOT to which the entry leads, with the flag IS_DIRECTORY; UINT32_MAX: there is no
   such entry. */
static uint32_t find_entry(const struct dump_memory *memory, const struct dump_range *image, uint32_t root, uint32_t at,
			   uint32_t type)
{
	uint8_t bytes[DIRECTORY], entry[ENTRY];
	if (!rs_image_read(memory, image, (uint64_t)root + at, bytes, sizeof bytes))
		return UINT32_MAX;
	const uint32_t count = (uint32_t)rs_le16(bytes + NAMED) + rs_le16(bytes + NAMED + 2);
	for (uint32_t i = 0; i < count && i < ENTRIES_MAX; i++) {
		if (!rs_image_read(memory, image, (uint64_t)root + at + DIRECTORY + (uint64_t)ENTRY * i, entry, ENTRY))
			break;
		if (type == 0 || rs_le32(entry) == type)
			return rs_le32(entry + 4);
	}
	return UINT32_MAX;
}

void rs_image_version_read(const struct dump_memory *memory, struct dump_module *module, uint32_t rva)
{
	static const uint32_t types[] = { RT_VERSION, 0, 0 };
	uint8_t data[16], resource[RESOURCE];
	const struct dump_range image = { module->base, module->size };
	uint32_t at = IS_DIRECTORY;
	for (unsigned i = 0; i < 3; i++) {
		if (at == UINT32_MAX || !(at & IS_DIRECTORY))
			return;
		at = find_entry(memory, &image, rva, at & ~IS_DIRECTORY, types[i]);
	}
	if (at & IS_DIRECTORY || !rs_image_read(memory, &image, (uint64_t)rva + at, data, sizeof data) ||
	    rs_le32(data + 4) < RESOURCE || !rs_image_read(memory, &image, rs_le32(data), resource, sizeof resource))
		return;
	rs_dump_version(module, resource + VERSION_INFO);
}
