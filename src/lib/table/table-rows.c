// SPDX-License-Identifier: GPL-2.0-or-later
/* table-rows.c - read rows into arrays */
#include "config.h"
#include "lib/table/table-rows.h"

int rs_table_read(const struct rs_table *table, uint32_t first, uint32_t count, struct rs_row *rows,
		  struct rossym_error *err)
{
	uint8_t buffer[RS_ROWS_MAX * RS_ROW_SIZE_PADDED];
	struct rossym_fault fault;
	const uint8_t *p = rs_table_bytes(table, first, count, buffer, &fault);
	if (!p)
		return rs_fail_fault(err, &fault);
	for (uint32_t i = 0; i < count; i++, p += table->row_size)
		rows[i] = rs_table_row(table, p);
	return 0;
}

int rs_table_fail(const struct rs_table *table, struct rossym_error *err)
{
	struct rossym_fault fault;
	rs_table_fail_order(table, &fault);
	return rs_fail_fault(err, &fault);
}
