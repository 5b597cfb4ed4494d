// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/new-rows.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"
#include "lib/base/array.h"
#include "lib/base/stable-sort.h"

void rs_rows_clear(struct rs_rows *rows)
{
	rs_free(rows->items);
}

int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err)
{
	if (rows->count > (UINT32_MAX - RS_HEADER_SIZE) / RS_ROW_SIZE)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more rows than a table can have");
	if (rs_array_grow(&rows->items, &rows->room, rows->count, sizeof *rows->items) < 0)
		return rs_fail_memory(err);
	rows->items[rows->count++] = row;
	return 0;
}

int rs_rows_reserve(struct rs_rows *rows, uint64_t more, struct rossym_error *err)
{
	if (rs_array_reserve(&rows->items, &rows->room, rows->count, more, sizeof *rows->items) < 0)
		return rs_fail_memory(err);
	return 0;
}

static int rows_by_rva(const void *a, const void *b)
{
	const struct rs_new_row *x = a, *y = b;
	return x->rva < y->rva ? -1 : x->rva > y->rva;
}

int rs_rows_sort(struct rs_rows *rows, struct rossym_error *err)
{
	if (rs_stable_sort(rows->items, rows->count, sizeof *rows->items, rows_by_rva) < 0)
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
