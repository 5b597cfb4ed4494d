// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/answer.h"
#include "lib/constants.h"
#include "lib/layout.h"

#include <string.h>

/* The offset of a string that says something, else 0. */
static uint32_t known(const struct rs_view *view, uint32_t offset)
{
	const char *s = rs_view_string(view, offset);
	return s && *s ? offset : 0;
}

enum rs_row_kind rs_row_kind(const struct rs_row *row, const struct rs_view *view)
{
	const char *function = rs_view_string(view, row->function);
	if (!function || !rs_is_linker_constant(function))
		return RS_ROW_PLAIN;
	return row->line || known(view, row->file) ? RS_ROW_CONSTANT_NAME : RS_ROW_CONSTANT_ONLY;
}

void rs_answer_start(struct rs_answer *answer)
{
	memset(answer, 0, sizeof *answer);
}

void rs_answer_add(struct rs_answer *answer, const struct rs_row *row, const struct rs_view *view)
{
	enum rs_row_kind kind = rs_row_kind(row, view);
	if (kind == RS_ROW_CONSTANT_ONLY)
		return;

	uint32_t function = kind == RS_ROW_PLAIN ? known(view, row->function) : 0;
	if (answer->other_function == 0)
		answer->other_function = function;

	int rank = row->line ? RS_ANSWER_LINE
		 : known(view, row->file) ? RS_ANSWER_FILE
		 : function ? RS_ANSWER_FUNCTION : RS_ANSWER_EMPTY;
	if (rank > (int)answer->rank) {
		answer->rank = (unsigned)rank;
		answer->row = *row;
		answer->row.function = kind == RS_ROW_CONSTANT_NAME ? UINT32_MAX : function;
	}
}

struct rs_payload rs_answer_payload(const struct rs_answer *answer, const struct rs_view *view)
{
	static const struct rs_payload nothing = { 0, 0, 0 };
	if (answer->rank <= RS_ANSWER_EMPTY)
		return nothing;

	struct rs_payload payload = { answer->row.function, known(view, answer->row.file), answer->row.line };
	if (payload.function == UINT32_MAX)	/* a linker constant, whose place another row's function takes */
		payload.function = answer->other_function;
	const char *function = rs_view_string(view, payload.function);
	if (function && strcmp(function, RS_TERMINATOR_NAME) == 0)
		return nothing;
	return payload;
}
