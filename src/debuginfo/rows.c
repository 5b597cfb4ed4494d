// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "debuginfo/rows.h"
#include "lib/pe.h"
#include "lib/source.h"

#include <string.h>

static int add_rows(const struct debuginfo *di, struct rossym_builder *builder, struct rossym_error *err)
{
	for (uint32_t i = 0; i < di->row_count; i++) {
		struct rossym_row row = {
			.rva = di->rows[i].rva,
			.function = strings_get(&di->strings, di->rows[i].function),
			.file = strings_get(&di->strings, di->rows[i].file),
			.line = di->rows[i].line,
		};
		if (rossym_builder_add(builder, &row, err) < 0)
			return -1;
	}
	return 0;
}

int debuginfo_read_image(struct debuginfo *di, const void *image, size_t size, const struct debuginfo_options *options,
			 struct rossym_error *err)
{
	struct rs_source source = RS_SOURCE_INIT;
	struct rs_pe pe;
	int ret = -1;
	source.memory = image;
	source.size = size;
	memset(&pe, 0, sizeof pe);
	if (rs_pe_read(&pe, &source, err) == 0)
		ret = debuginfo_read(di, &pe, &source, options, err);
	rs_pe_clear(&pe);
	return ret;
}

int debuginfo_add_rows(const void *image, size_t size, const struct debuginfo_options *options,
		       struct rossym_builder *builder, struct debuginfo_counts *counts, struct rossym_error *err)
{
	struct debuginfo di;
	if (debuginfo_read_image(&di, image, size, options, err) < 0)
		return -1;
	*counts = di.counts;
	int ret = add_rows(&di, builder, err);
	debuginfo_clear(&di);
	return ret;
}
