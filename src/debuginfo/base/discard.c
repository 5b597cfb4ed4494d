// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/base/discard.h"
#include "core/bytes.h"
#include "core/layout.h"
#include "core/pe.h"
#include "lib/base/pe-memory.h"

#include <string.h>

#include "compat/pages.h"

/* Images with more sections are not handled: sound ones have fewer, and comparing each pair of the 65,535 sections that
   a hostile image can have would take seconds. */
enum { SECTIONS_MAX = 256 };

/* Returns how many of the SIZE bytes of the debug section NAME are to be freed, from its beginning on. */
static size_t size_to_discard(const char *name, size_t size, size_t units)
{
	static const char *const unread[] = {
		".debug_loc",	  ".debug_loclists", ".debug_frame",	".debug_macro",
		".debug_macinfo", ".debug_aranges",  ".debug_pubnames", ".debug_pubtypes",
	};
	if (units == DISCARD_ALL)
		return size;
	for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
		if (strcmp(name, unread[i]) == 0)
			return size;
	if (strcmp(name, ".debug_info") != 0)
		return 0;
	return units < size ? units : size;
}

/* Whether SECTION shares no bytes of the file with headers, COFF symbols and strings, or another section. */
static bool shares_no_bytes(const struct rs_pe *pe, const struct rs_section *section, const uint8_t *image)
{
	if (pe->optional_size < PE_OPT_SIZE_OF_HEADERS + 4 ||
	    section->raw_offset < rs_le32(image + pe->optional + PE_OPT_SIZE_OF_HEADERS) ||
	    section->raw_offset < pe->headers + (uint64_t)pe->section_count * PE_SECTION_SIZE ||
	    (pe->symbol_offset > 0 && pe->symbol_offset < (uint64_t)section->raw_offset + section->raw_size))
		return false;
	for (uint32_t i = 0; i < pe->section_count; i++) {
		const struct rs_section *other = &pe->sections[i];
		if (other != section && other->raw_offset < (uint64_t)section->raw_offset + section->raw_size &&
		    section->raw_offset < (uint64_t)other->raw_offset + other->raw_size)
			return false;
	}
	return true;
}

void rs_debuginfo_discard_sections(void *image, size_t size, size_t units)
{
	struct rs_source source = { .memory = image, .fd = -1, .size = size };
	struct rs_pe pe = { .section_count = 0 };
	const bool usable = rs_pe_read(&pe, &source, NULL) == 0 && pe.section_count <= SECTIONS_MAX;
	for (uint32_t i = 0; usable && i < pe.section_count; i++) {
		const struct rs_section *section = &pe.sections[i];
		const char *name = rs_pe_section_name(&pe, section, &source, NULL);
		if (name && rs_pe_is_debug_section(section, name) &&
		    rs_in_range(section->raw_offset, section->raw_size, size) && shares_no_bytes(&pe, section, image))
			rs_release_pages((char *)image + section->raw_offset,
					 size_to_discard(name, section->raw_size, units));
	}
	rs_pe_clear(&pe);
}
