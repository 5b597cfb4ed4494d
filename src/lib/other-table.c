// SPDX-License-Identifier: GPL-2.0-or-later
/* other-table.c - replaces the table that an image has in its file */
#include "config.h"
#include "lib/image.h"
#include "lib/table/unpack.h"

int rs_image_replace_table(struct rossym_image *image, const void *table, size_t size, struct rossym_error *err)
{
	const struct rossym_reader reader = { .memory = table, .size = size };
	struct rossym_core core;
	struct rossym_fault fault;
	if (rs_core_open_bare(&core, &reader, image->core.pe.wide, &fault) < 0)
		return rs_fail_fault(err, &fault);
	core.kind = image->core.kind;
	core.pe = image->core.pe;
	image->core = core;
	return 0;
}

int rs_image_unpack_table(struct rossym_image *image, struct rossym_error *err)
{
	size_t size;
	if (!rs_is_packed(&image->core.table))
		return 0;
	image->packed_offset = image->core.table.offset;
	return rs_unpack(&image->core, &image->unpacked, &size, err) < 0
		       ? -1
		       : rs_image_replace_table(image, image->unpacked, size, err);
}
