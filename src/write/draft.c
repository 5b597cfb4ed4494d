// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/draft.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/error.h"

#include <stdlib.h>

void rs_draft_clear(struct rs_draft *draft)
{
	rs_rows_clear(&draft->rows);
	rs_frames_clear(&draft->frames);
	rs_free(draft->functions);
	*draft = (struct rs_draft){ .strings = draft->strings };
}

int rs_draft_function(struct rs_draft *draft, struct rs_new_function function, struct rossym_error *err)
{
	if (draft->function_count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more functions than a table can have");
	if (rs_array_grow(&draft->functions, &draft->function_room, draft->function_count, sizeof function) < 0)
		return rs_fail_memory(err);
	draft->functions[draft->function_count++] = function;
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct rs_new_function *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

void rs_draft_sort_functions(struct rs_draft *draft)
{
	struct rs_new_function *functions = draft->functions;
	uint32_t kept = 0;
	if (draft->function_count > 0)
		qsort(functions, draft->function_count, sizeof *functions, by_address);
	for (uint32_t i = 0; i < draft->function_count; i++)
		if (kept == 0 || by_address(&functions[i], &functions[kept - 1]) != 0)
			functions[kept++] = functions[i];
	draft->function_count = kept;
}
