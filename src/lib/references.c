// SPDX-License-Identifier: GPL-2.0-or-later
/* references.c - the public function about files that have an image's symbols */
#include "config.h"
#include "lib/image.h"
#include "core/bytes.h"
#include "lib/base/codeview.h"
#include "lib/base/sized.h"

#include <string.h>

/* Decode the section .gnu_debuglink: a name, its NUL, zeros up to a multiple of 4, a CRC.  Returns 1; 0 if there is
   none or it is damaged; or -1. */
static int read_debuglink(struct rossym_image *image, struct rossym_debug_reference *reference,
			  struct rossym_error *err)
{
	enum { CRC_SIZE = 4, LENGTH_MAX = ROSSYM_REFERENCE_NAME_MAX + CRC_SIZE };
	uint8_t buffer[LENGTH_MAX];
	struct rossym_section section;
	int found = rossym_find_section(image, ".gnu_debuglink", &section, err);
	if (found <= 0)
		return found;
	size_t length = section.raw_size < LENGTH_MAX ? section.raw_size : LENGTH_MAX;
	if (!rs_in_range(section.raw_offset, length, image->file.size))
		return 0;
	const uint8_t *bytes = rs_source_view(&image->file, section.raw_offset, length, buffer, err);
	if (!bytes)
		return -1;
	const uint8_t *end = memchr(bytes, '\0', length);
	size_t name = end ? (size_t)(end - bytes) : 0, crc = (name + CRC_SIZE) / CRC_SIZE * CRC_SIZE;
	if (name == 0 || name >= ROSSYM_REFERENCE_NAME_MAX || crc + CRC_SIZE > length)
		return 0;
	memset(reference, 0, sizeof *reference);
	reference->kind = ROSSYM_REFERENCE_DEBUGLINK;
	reference->offset = section.raw_offset;
	reference->crc = rs_le32(bytes + crc);
	memcpy(reference->name, bytes, name + 1);
	return 1;
}

int rossym_get_debug_reference(struct rossym_image *image, uint32_t number, struct rossym_debug_reference *ret,
			       struct rossym_error *err)
{
	struct rossym_debug_reference reference;
	if (rs_sized_check(ret, sizeof reference, err) < 0)
		return -1;
	int found = rs_codeview_get(&image->core.pe, &image->file, image->loaded, &number, &reference, err);
	if (found == 0 && number == 0)
		found = read_debuglink(image, &reference, err);
	if (found > 0)
		rs_sized_give(ret, &reference, sizeof reference);
	return found;
}

int rs_reference_name(struct rossym_image *image, char *name, size_t size, uint64_t *at, struct rossym_error *err)
{
	struct rossym_debug_reference reference;
	struct rossym_section section;
	int found = rs_codeview_named(&image->core.pe, &image->file, image->loaded, &reference, err);
	/* An image with COFF symbols or DWARF has its symbols itself, so then ignore its .gnu_debuglink. */
	if (found == 0 && image->core.pe.symbol_count == 0) {
		found = rossym_find_section(image, ".debug_info", &section, err);
		found = found == 0 ? read_debuglink(image, &reference, err) : found < 0 ? -1 : 0;
	}
	if (found <= 0)
		return found;
	*at = reference.offset;
	return rs_codeview_last_part(reference.name, name, size);
}
