// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/draft.h"
#include "core/layout.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err)
{
	if (rows->count > (UINT32_MAX - RS_HEADER_SIZE) / RS_ROW_SIZE)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more rows than a table can have");
	return RS_ARRAY_ADD(rows->items, rows->room, rows->count, err, row);
}

void rs_draft_clear(struct rs_draft *draft)
{
	rs_free(draft->rows.items);
	rs_frames_clear(&draft->frames);
	rs_free(draft->functions);
	*draft = (struct rs_draft){ .strings = draft->strings };
}

int rs_draft_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err)
{
	if (draft->function_count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more functions than a table can have");
	return RS_ARRAY_ADD(draft->functions, draft->function_room, draft->function_count, err, function);
}

void rs_draft_sort_functions(struct rs_draft *draft)
{
	struct rs_new_function *functions = draft->functions;
	uint32_t kept = 0;
	rs_sort(functions, draft->function_count, sizeof *functions, rs_by_three);
	for (uint32_t i = 0; i < draft->function_count; i++)
		if (kept == 0 || rs_by_three(&functions[i], &functions[kept - 1]) != 0)
			functions[kept++] = functions[i];
	draft->function_count = kept;
}
