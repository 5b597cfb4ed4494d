// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "dump/mapped-sections.h"
#include "core/bytes.h"

#include <string.h>

enum {
	SECTION_SIZE = 40,   /* bytes of a section header */
	SECTIONS_MAX = 96,   /* Windows' loader accepts no more */
	LONG_NAMES_MAX = 16, /* how many sections with long names are checked for a CIE */
	NAME_LENGTH = 8,
	AT_VIRTUAL_SIZE = 8, /* offsets in a section header */
	AT_RVA = 12,
};

/* Whether a CIE of .eh_frame is at RVA: its length, 0, a version, and an augmentation string that begins with z. */
static bool is_cie(const struct dump_memory *memory, const struct dump_range *image, uint32_t rva)
{
	enum { LENGTH = 16, CIE_SIZE_MAX = 256, AT_VERSION = 8, AUGMENTATION = 9 };
	uint8_t cie[LENGTH];
	if (!rs_image_read(memory, image, rva, cie, sizeof cie) || rs_le32(cie) > CIE_SIZE_MAX ||
	    rs_le32(cie + 4) != 0 || (cie[AT_VERSION] != 1 && cie[AT_VERSION] != 3) || cie[AUGMENTATION] != 'z')
		return false;
	size_t at = AUGMENTATION;
	while (at < LENGTH && cie[at] && strchr("zRPLS", cie[at]))
		at++;
	return at < LENGTH && cie[at] == '\0';
}

/* Read the section table.  Returns how many entries it has; 0 if it cannot be read. */
static unsigned read_table(const struct dump_memory *memory, const struct dump_range *image,
			   uint8_t table[SECTIONS_MAX * SECTION_SIZE])
{
	enum { AT_PE = 60, COUNT = 6, OPTIONAL_SIZE = 20, OPTIONAL = 24 };
	uint8_t bytes[AT_PE + 4];
	if (!rs_image_read(memory, image, 0, bytes, sizeof bytes) || memcmp(bytes, "MZ", 2) != 0)
		return 0;
	const uint32_t at_pe = rs_le32(bytes + AT_PE);
	if (!rs_image_read(memory, image, at_pe, bytes, OPTIONAL) || memcmp(bytes, "PE\0", 4) != 0)
		return 0;
	const unsigned count = rs_le16(bytes + COUNT) < SECTIONS_MAX ? rs_le16(bytes + COUNT) : SECTIONS_MAX;
	const uint64_t at = (uint64_t)at_pe + OPTIONAL + rs_le16(bytes + OPTIONAL_SIZE);
	return rs_image_read(memory, image, at, table, (size_t)count * SECTION_SIZE) ? count : 0;
}

bool rs_mapped_section_find(const struct dump_memory *memory, const struct dump_range *image, const char *name,
			    uint32_t *rva, uint32_t *size)
{
	uint8_t table[SECTIONS_MAX * SECTION_SIZE];
	const size_t length = strlen(name);
	const bool by_content = strcmp(name, ".eh_frame") == 0;
	const unsigned count = read_table(memory, image, table);
	unsigned looked_at = 0;
	for (const uint8_t *section = table; section < table + (size_t)count * SECTION_SIZE; section += SECTION_SIZE) {
		*rva = rs_le32(section + AT_RVA);
		*size = rs_le32(section + AT_VIRTUAL_SIZE);
		if (length <= NAME_LENGTH && memcmp(section, name, length) == 0 &&
		    (length == NAME_LENGTH || !section[length]))
			return true;
		if (by_content && *section == '/' && looked_at++ < LONG_NAMES_MAX && is_cie(memory, image, *rva))
			return true;
	}
	return false;
}
