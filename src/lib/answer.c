// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/answer.h"
#include "core/constants.h"
#include "core/layout.h"

#include <string.h>

static enum rs_word judge(const struct rs_view *view, uint32_t offset)
{
	const char *s = rs_view_string(view, offset);
	if (!s || !*s)
		return RS_WORD_NOTHING;
	if (*s != '_')
		return RS_WORD_TEXT;	/* the usual case */
	return rs_is_linker_constant(s) ? RS_WORD_CONSTANT
	     : strcmp(s, RS_TERMINATOR_NAME) == 0 ? RS_WORD_TERMINATOR : RS_WORD_TEXT;
}

static enum rs_word word_at(struct rs_view *view, uint32_t offset, struct rs_judged *last)
{
	if (offset != last->offset) {
		last->word = judge(view, offset);
		last->offset = offset;
	}
	return last->word;
}

static enum rs_word function_word(struct rs_view *view, uint32_t offset)
{
	return word_at(view, offset, &view->function);
}

/* OFFSET, or 0 if the file there is unknown. */
static uint32_t known_file(struct rs_view *view, uint32_t offset)
{
	return word_at(view, offset, &view->file) != RS_WORD_NOTHING ? offset : 0;
}

enum rs_row_kind rs_row_kind(const struct rs_row *row, struct rs_view *view)
{
	if (function_word(view, row->function) != RS_WORD_CONSTANT)
		return RS_ROW_PLAIN;
	return row->line || known_file(view, row->file) ? RS_ROW_CONSTANT_NAME : RS_ROW_CONSTANT_ONLY;
}

void rs_answer_start(struct rs_answer *answer)
{
	memset(answer, 0, sizeof *answer);
}

void rs_answer_add(struct rs_answer *answer, const struct rs_row *row, struct rs_view *view)
{
	enum rs_row_kind kind = rs_row_kind(row, view);
	if (kind == RS_ROW_CONSTANT_ONLY)
		return;

	uint32_t function = kind == RS_ROW_PLAIN && function_word(view, row->function) != RS_WORD_NOTHING ? row->function : 0;
	if (answer->other_function == 0)
		answer->other_function = function;

	int rank = row->line ? RS_ANSWER_LINE
		 : known_file(view, row->file) ? RS_ANSWER_FILE
		 : function ? RS_ANSWER_FUNCTION : RS_ANSWER_EMPTY;
	if (rank > (int)answer->rank) {
		answer->rank = (unsigned)rank;
		answer->row = *row;
		answer->row.function = kind == RS_ROW_CONSTANT_NAME ? UINT32_MAX : function;
	}
}

struct rs_payload rs_answer_payload(const struct rs_answer *answer, struct rs_view *view)
{
	static const struct rs_payload nothing = { 0, 0, 0 };
	if (answer->rank <= RS_ANSWER_EMPTY)
		return nothing;

	struct rs_payload payload = { answer->row.function, known_file(view, answer->row.file), answer->row.line };
	if (payload.function == UINT32_MAX)	/* a linker constant: the function of another row replaces it */
		payload.function = answer->other_function;
	if (function_word(view, payload.function) == RS_WORD_TERMINATOR)
		return nothing;
	return payload;
}
