// SPDX-License-Identifier: GPL-2.0-or-later
/* sections.c - the public functions about an image's sections, and about its bytes as the loader maps them */
#include "config.h"
#include "lib/image.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "lib/base/codeview.h"

#include <string.h>

/* Store SECTION in *RET_SECTION, in its public form.  Returns 1; 0 if SECTION is NULL; or -1. */
static int store_section(struct rossym_image *image, const struct rs_section *section,
			 struct rossym_section *ret_section, struct rossym_error *err)
{
	if (!section)
		return 0;
	const char *name = rs_pe_section_name(&image->core.pe, section, &image->file, err);
	if (!name)
		return -1;
	*ret_section = (struct rossym_section){
		.name = name,
		.rva = section->rva,
		.size = section->size,
		.virtual_size = section->virtual_size,
		.raw_size = section->raw_size,
		.raw_offset = section->raw_offset,
		.characteristics = section->characteristics,
	};
	return 1;
}

int rossym_get_section(struct rossym_image *image, uint32_t index, struct rossym_section *ret_section,
		       struct rossym_error *err)
{
	const struct rs_section *section = index < image->core.pe.section_count ? &image->core.pe.sections[index]
										: NULL;
	return store_section(image, section, ret_section, err);
}

int rossym_section_at(struct rossym_image *image, uint64_t rva, struct rossym_section *ret_section,
		      struct rossym_error *err)
{
	return store_section(image, rs_pe_section_at(&image->core.pe, rva), ret_section, err);
}

int rossym_find_section(struct rossym_image *image, const char *name, struct rossym_section *ret_section,
			struct rossym_error *err)
{
	const struct rs_section *section;
	if (rs_check_name(name, err) < 0)
		return -1;
	const int found = rs_pe_find_section(&image->core.pe, &image->file, name, &section, err);
	return found > 0 ? store_section(image, section, ret_section, err) : found;
}

int rossym_read_section(struct rossym_image *image, uint32_t index, uint32_t offset, size_t length, void *buffer,
			struct rossym_error *err)
{
	if (index >= image->core.pe.section_count)
		return 0;
	const struct rs_section *section = &image->core.pe.sections[index];
	uint64_t at = (uint64_t)section->raw_offset + offset;
	if (!rs_in_range(offset, length, section->raw_size) || !rs_in_range(at, length, image->file.size))
		return 0;
	return rs_source_copy(&image->file, at, length, buffer, err) < 0 ? -1 : 1;
}

int rossym_section_is_code(const struct rossym_section *section)
{
	return rs_section_is_code(section->characteristics);
}

/* ------------------------------------------------------------------------------------------------ mapped bytes */

enum { SECTIONS_MAX = 96 }; /* the loader of Windows refuses images with more sections */

/* Read into BYTES those of the SIZE bytes at RVA that SECTION has in the file.  Returns 0 or -1. */
static int read_bytes_of_section(const struct rossym_image *image, const struct rs_section *section, uint32_t rva,
				 uint8_t *bytes, size_t size, struct rossym_error *err)
{
	const uint32_t mapped = section->raw_size < section->size ? section->raw_size : section->size;
	const uint64_t end = (uint64_t)section->rva + mapped, wanted = (uint64_t)rva + size;
	const uint64_t first = section->rva > rva ? section->rva : rva, last = end < wanted ? end : wanted;
	return first >= last ? 0
			     : rs_source_copy(&image->file, section->raw_offset + (first - section->rva),
					      (size_t)(last - first), bytes + (first - rva), err);
}

int rossym_read_mapped(struct rossym_image *image, uint32_t rva, size_t length, void *buffer, struct rossym_error *err)
{
	enum { SIZE_OF_HEADERS = 60 }; /* in the optional header: how many bytes of headers the loader maps */
	uint8_t number[4] = { 0 };
	if (rs_image_is_bare(image))
		return rs_fail(err, ROSSYM_EREFUSED, 0, "a bare table is not loaded");
	memset(buffer, 0, length);
	if (image->loaded)
		return rs_source_copy_present(&image->file, rva, length, buffer, err);
	if (rs_source_copy_present(&image->file, image->core.pe.optional + SIZE_OF_HEADERS, sizeof number, number,
				   err) < 0)
		return -1;
	const uint32_t headers = rs_le32(number);
	if (rva < headers &&
	    rs_source_copy_present(&image->file, rva, length < headers - rva ? length : headers - rva, buffer, err) < 0)
		return -1;
	for (uint32_t i = 0; i < SECTIONS_MAX && i < image->core.pe.section_count; i++)
		if (read_bytes_of_section(image, &image->core.pe.sections[i], rva, buffer, length, err) < 0)
			return -1;
	return 0;
}

/* ----------------------------------------------------------------------------------------------- files with symbols */

int rossym_get_debug_reference(struct rossym_image *image, uint32_t number, struct rossym_debug_reference *ret,
			       struct rossym_error *err)
{
	struct rossym_debug_reference reference;
	if (rs_sized_check(ret, sizeof reference, err) < 0)
		return -1;
	int found = rs_codeview_read_record(&image->core.pe, &image->file, image->loaded, &number, &reference, err);
	if (found == 0 && number == 0)
		found = rs_debuglink_read(&image->core.pe, &image->file, &reference, err);
	if (found > 0)
		rs_sized_fill(ret, &reference, sizeof reference);
	return found;
}
