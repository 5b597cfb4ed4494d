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
	if (rs_array_grow(&rows->items, &rows->room, rows->count, sizeof *rows->items) < 0)
		return rs_fail_memory(err);
	rows->unsorted |= rows->count > 0 && row.rva < rows->items[rows->count - 1].rva;
	rows->items[rows->count++] = row;
	return 0;
}

int rs_rows_reserve(struct rs_rows *rows, uint64_t more, struct rossym_error *err)
{
	if (rs_array_reserve(&rows->items, &rows->room, rows->count, more, sizeof *rows->items) < 0)
		return rs_fail_memory(err);
	return 0;
}

/* Merge FROM[LEFT..RIGHT) and FROM[RIGHT..END), which are sorted, into TO[LEFT..END). */
static void merge(const struct rs_new_row *from, struct rs_new_row *to, uint32_t left, uint32_t right, uint32_t end)
{
	for (uint32_t i = left, j = right; left < end; left++)
		to[left] = j == end || (i < right && from[i].rva <= from[j].rva) ? from[i++] : from[j++];
}

/* Merge sort, because qsort() does not keep the order of equal rows. */
int rs_rows_sort(struct rs_rows *rows, struct rossym_error *err)
{
	if (!rows->unsorted)
		return 0;
	uint32_t count = rows->count;
	struct rs_new_row *to = rs_alloc(count, sizeof *to), *from = rows->items;
	if (!to)
		return rs_fail_memory(err);
	for (uint64_t width = 1; width < count; width *= 2) {
		for (uint64_t left = 0; left < count; left += 2 * width) {
			uint64_t right = left + width < count ? left + width : count;
			uint64_t end = right + width < count ? right + width : count;
			merge(from, to, (uint32_t)left, (uint32_t)right, (uint32_t)end);
		}
		struct rs_new_row *other = from;
		from = to;
		to = other;
	}
	rs_free(to);
	rows->items = from;
	rows->room = count; /* the new array may be the smaller one of the two */
	rows->unsorted = false;
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
