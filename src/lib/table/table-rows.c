// SPDX-License-Identifier: GPL-2.0-or-later
/* table-rows.c - reads rows into arrays, and copies whole tables */
#include "config.h"
#include "lib/table/table-rows.h"
#include "core/parts.h"
#include "lib/base/source.h"

#include <string.h>

int rs_table_read_rows(const struct rs_table *table, uint32_t first, uint32_t count, struct rs_row *rows,
		       struct rossym_error *err)
{
	uint8_t buffer[RS_ROWS_MAX * RS_ROW_SIZE_64_PADDED];
	struct rossym_fault fault;
	const uint8_t *p = rs_table_view_rows(table, first, count, buffer, &fault);
	if (!p)
		return rs_fail_fault(err, &fault);
	for (uint32_t i = 0; i < count; i++, p += table->row_size)
		rows[i] = rs_table_decode_row(table, p);
	return 0;
}

int rs_table_fail_unordered(const struct rs_table *table, struct rossym_error *err)
{
	struct rossym_fault fault;
	rs_table_fail_order(table, &fault);
	return rs_fail_fault(err, &fault);
}

int rs_table_copy(const struct rs_table *table, uint64_t end, uint8_t **ret, size_t *ret_size, struct rossym_error *err)
{
	struct rossym_fault fault;
	uint64_t size;
	if (rs_parts_find_content_size(table, end, &size, &fault) < 0)
		return rs_fail_fault(err, &fault);
	*ret = rs_reader_duplicate(&table->reader, table->offset, size, 0, err);
	if (!*ret)
		return -1;
	*ret_size = (size_t)size;
	return 0;
}
