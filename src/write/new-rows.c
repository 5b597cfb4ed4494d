// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/new-rows.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"
#include "lib/base/array.h"

void rs_rows_clear(struct rs_rows *rows)
{
	rs_free(rows->items);
}

int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err)
{
	if (rows->count > (UINT32_MAX - RS_HEADER_SIZE) / RS_ROW_SIZE)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more rows than a table can have");
	return RS_ARRAY_ADD(rows->items, rows->room, rows->count, err, row);
}

int rs_rows_reserve(struct rs_rows *rows, uint64_t more, struct rossym_error *err)
{
	if (rs_array_reserve(&rows->items, &rows->room, rows->count, more, sizeof *rows->items) < 0)
		return rs_fail_memory(err);
	return 0;
}

void rs_rows_write(const struct rs_rows *rows, const struct rs_pool *strings, uint8_t *to)
{
	for (uint32_t i = 0; i < rows->count; i++, to += RS_ROW_SIZE) {
		const struct rs_new_row *row = &rows->items[i];
		rs_put32(to + RS_ROW_ADDRESS, row->rva);
		rs_put32(to + RS_ROW_FUNCTION, rs_pool_place(strings, row->function));
		rs_put32(to + RS_ROW_FILE, rs_pool_place(strings, row->file));
		rs_put32(to + RS_ROW_LINE, row->line);
	}
}
