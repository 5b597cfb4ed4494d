// SPDX-License-Identifier: GPL-2.0-or-later
/* references.c - the public function about files that have an image's symbols */
#include "config.h"
#include "lib/image.h"
#include "lib/base/codeview.h"
#include "lib/base/error.h"

int rossym_get_debug_reference(struct rossym_image *image, uint32_t number, struct rossym_debug_reference *ret,
			       struct rossym_error *err)
{
	struct rossym_debug_reference reference;
	if (rs_sized_check(ret, sizeof reference, err) < 0)
		return -1;
	int found = rs_codeview_get(&image->core.pe, &image->file, image->loaded, &number, &reference, err);
	if (found == 0 && number == 0)
		found = rs_debuglink_read(&image->core.pe, &image->file, &reference, err);
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
		found = found == 0  ? rs_debuglink_read(&image->core.pe, &image->file, &reference, err)
			: found < 0 ? -1
				    : 0;
	}
	if (found <= 0)
		return found;
	*at = reference.offset;
	return rs_codeview_last_part(reference.name, name, size);
}
