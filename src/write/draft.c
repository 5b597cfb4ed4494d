// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/draft.h"
#include "core/columns.h"
#include "core/layout.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <string.h>

/* The most frames, and the most functions, that a draft can have: with records of the largest size, so many would fill
   a table, which has less than 4 GiB. */
#define RECORDS_MAX (UINT32_MAX / RS_RECORD_SIZE_MAX)

void rs_frames_clear(struct rs_frames *frames)
{
	rs_free(frames->items);
	rs_free(frames->table.slots);
	memset(frames, 0, sizeof *frames);
}

int rs_frames_add(struct rs_frames *frames, struct rs_frame frame, uint32_t *ret, struct rossym_error *err)
{
	frame.depth = frame.next ? frames->items[frame.next - 1].depth + 1 : 1;
	if (frame.depth > RS_CHAIN_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "calls inlined into one another more than %d times",
			       RS_CHAIN_MAX);
	if (frames->count >= RECORDS_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more inlined calls than a table can have");
	if (rs_array_intern(&frames->items, &frames->room, &frames->count, &frames->table, &frame,
			    offsetof(struct rs_frame, depth), sizeof frame, ret) < 0)
		return rs_fail_memory(err);
	return 0;
}

int rs_frames_add_caller(struct rs_frames *frames, struct rs_frame caller, uint32_t *ret, struct rossym_error *err)
{
	if (caller.next && frames->items[caller.next - 1].depth >= RS_CALLERS_MAX)
		caller.next = frames->items[caller.next - 1].next;
	return rs_frames_add(frames, caller, ret, err);
}

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

int rs_draft_add_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err)
{
	if (draft->function_count >= RECORDS_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more functions than a table can have");
	return RS_ARRAY_ADD(draft->functions, draft->function_room, draft->function_count, err, function);
}

void rs_draft_sort_functions(struct rs_draft *draft)
{
	struct rs_new_function *functions = draft->functions;
	uint32_t kept = 0;
	rs_sort(functions, draft->function_count, sizeof *functions, rs_compare_three_numbers);
	for (uint32_t i = 0; i < draft->function_count; i++)
		if (kept == 0 || rs_compare_three_numbers(&functions[i], &functions[kept - 1]) != 0)
			functions[kept++] = functions[i];
	draft->function_count = kept;
}
