// SPDX-License-Identifier: GPL-2.0-or-later
/* read-mapped.c - public function: the bytes of an image as the loader maps them into memory */
#include "config.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "lib/image.h"

#include <string.h>

enum { SECTIONS_MAX = 96 }; /* the loader of Windows refuses images with more */

/* Store in *SIZE how many bytes of the headers the loader maps: SizeOfHeaders.  Returns 0 or -1. */
static int read_size_of_headers(const struct rossym_image *image, uint32_t *size, struct rossym_error *err)
{
	enum { AT_PE = 60, SIZE_OF_HEADERS = 24 + 60 };
	uint8_t number[4] = { 0 };
	if (rs_source_copy_present(&image->file, AT_PE, sizeof number, number, err) < 0 ||
	    rs_source_copy_present(&image->file, (uint64_t)rs_le32(number) + SIZE_OF_HEADERS, sizeof number, number,
				   err) < 0)
		return -1;
	*size = rs_le32(number);
	return 0;
}

/* Read those of the SIZE bytes at RVA that SECTION has in the file.  Returns 0 or -1. */
static int read_section(const struct rossym_image *image, const struct rs_section *section, uint32_t rva,
			uint8_t *bytes, size_t size, struct rossym_error *err)
{
	const uint32_t mapped = section->raw_size < section->size ? section->raw_size : section->size;
	const uint64_t end = (uint64_t)section->rva + mapped, wanted = (uint64_t)rva + size;
	const uint64_t first = section->rva > rva ? section->rva : rva, last = end < wanted ? end : wanted;
	return first >= last ? 0
			     : rs_source_copy(&image->file, section->raw_offset + (first - section->rva),
					      (size_t)(last - first), bytes + (first - rva), err);
}

/* Whether the file has all LENGTH bytes at RVA in one section.  Then the headers are not needed, because sections are
   mapped over them. */
static bool is_in_section(const struct rs_pe *pe, uint32_t rva, size_t length)
{
	const struct rs_section *section = rs_pe_section_at(pe, rva);
	const uint32_t mapped = !section ? 0 : section->raw_size < section->size ? section->raw_size : section->size;
	return section && section - pe->sections < SECTIONS_MAX && rs_in_range(rva - section->rva, length, mapped);
}

int rossym_read_mapped(struct rossym_image *image, uint32_t rva, size_t length, void *buffer, struct rossym_error *err)
{
	uint32_t headers = 0;
	if (rs_image_is_bare(image))
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a bare table is not loaded");
	memset(buffer, 0, length);
	if (image->loaded)
		return rs_source_copy_present(&image->file, rva, length, buffer, err);
	if ((!is_in_section(&image->core.pe, rva, length) && read_size_of_headers(image, &headers, err) < 0) ||
	    (rva < headers && rs_source_copy_present(&image->file, rva, length < headers - rva ? length : headers - rva,
						     buffer, err) < 0))
		return -1;
	for (uint32_t i = 0; i < SECTIONS_MAX && i < image->core.pe.section_count; i++)
		if (read_section(image, &image->core.pe.sections[i], rva, buffer, length, err) < 0)
			return -1;
	return 0;
}
