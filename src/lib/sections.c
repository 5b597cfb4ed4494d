// SPDX-License-Identifier: GPL-2.0-or-later
/* sections.c - the public functions about an image's sections */
#include "config.h"
#include "lib/image.h"
#include "core/bytes.h"

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
	struct rossym_section section;
	int found = rs_check_name(name, err);
	if (found < 0)
		return -1;
	for (uint32_t i = 0; (found = rossym_get_section(image, i, &section, err)) > 0; i++)
		if (strcmp(section.name, name) == 0) {
			*ret_section = section;
			return 1;
		}
	return found;
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
