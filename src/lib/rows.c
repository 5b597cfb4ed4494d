// SPDX-License-Identifier: GPL-2.0-or-later
/* rows.c - the public functions that read rows one after the other, or all that a table has */
#include "config.h"
#include "lib/demand.h"
#include "lib/table/table-rows.h"

#include <string.h>

void rossym_rows_begin(struct rossym_image *image, uint32_t first, struct rossym_rows *rows)
{
	rows->image = image;
	rows->strings = NULL;
	rows->next = first;
	rows->at = rows->count = 0;
}

/* Read the next window of rows.  Returns 1, 0 at the table's end, or -1. */
static int read_window(struct rossym_rows *rows, struct rossym_error *err)
{
	struct rossym_image *image = rows->image;
	if (rs_image_need_all(image, err) < 0)
		return -1;
	const struct rs_table *table = &image->core.table;
	uint32_t left = rows->next < table->row_count ? table->row_count - rows->next : 0;
	uint32_t most = (uint32_t)sizeof rows->window / table->row_size, count = left < most ? left : most;
	if (count == 0)
		return 0;
	const char *strings = rs_segments_whole(&image->strings, err);
	size_t size = (size_t)count * table->row_size;
	const uint64_t offset = table->rows_offset + (uint64_t)rows->next * table->row_size;
	if (!strings || rs_reader_copy(&table->reader, offset, size, rows->window, err) < 0)
		return -1;
	rows->strings = strings;
	rows->next += count;
	rows->at = 0;
	rows->count = count;
	return 1;
}

int rossym_rows_next(struct rossym_rows *rows, struct rossym_row *row, struct rossym_error *err)
{
	int r = rows->at < rows->count ? 1 : read_window(rows, err);
	if (r <= 0)
		return r;
	const struct rs_table *table = &rows->image->core.table;
	const struct rs_row raw = rs_table_row(table, rows->window + (size_t)rows->at++ * table->row_size);
	const char *function = rs_table_string(table, rows->strings, raw.function);
	const char *file = rs_table_string(table, rows->strings, raw.file);
	*row = (struct rossym_row){
		.rva = raw.address,
		.function = function ? function : "",
		.file = file ? file : "",
		.line = raw.line,
		.damage = (function ? 0 : ROSSYM_ROW_BAD_FUNCTION) | (file ? 0 : ROSSYM_ROW_BAD_FILE),
	};
	return 1;
}

int rossym_read_table(struct rossym_image *image, void **ret, size_t *ret_size, struct rossym_error *err)
{
	uint8_t *bytes;
	if (rs_image_need_all(image, err) < 0 ||
	    rs_table_copy(&image->core.table, image->core.section_end, &bytes, ret_size, err) < 0)
		return -1;
	*ret = bytes;
	return 0;
}
