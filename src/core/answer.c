// SPDX-License-Identifier: GPL-2.0-or-later
/* answer.c - combine the rows of an address */
#include "core/answer.h"

/*@ requires judging(words);
    assigns words->function, words->failed, *words->fault; */
static enum rs_word classify_function_name(struct rs_words *words, uint32_t offset)
{
	return rs_classify_string_cached(words, offset, &words->function);
}

/* Returns OFFSET, that of a file's name in the strings; but 0 if OFFSET is outside of them, or the name is empty. */
/*@ requires judging(words);
    assigns words->file, words->failed, *words->fault; */
static uint32_t get_known_file(struct rs_words *words, uint32_t offset)
{
	return rs_classify_string_cached(words, offset, &words->file) != RS_WORD_NOTHING ? offset : 0;
}

/*@ requires judging(words) && \valid_read(row) && \separated(words, words->fault, row);
    assigns words->function, words->file, words->failed, *words->fault; */
enum rs_row_kind rs_classify_row(const struct rs_row *row, struct rs_words *words)
{
	if (classify_function_name(words, row->function) != RS_WORD_CONSTANT)
		return RS_ROW_PLAIN;
	return row->line || get_known_file(words, row->file) ? RS_ROW_CONSTANT_NAME : RS_ROW_CONSTANT_ONLY;
}

/*@ requires \valid(answer);
    assigns *answer; */
void rs_answer_start(struct rs_answer *answer)
{
	*answer = (struct rs_answer){ .number = 0 };
}

/*@ requires judging(words) && \valid_read(row) && \valid(answer);
    requires \separated(words, words->strings, words->fault, row, answer);
    assigns *answer, words->function, words->file, words->failed, *words->fault; */
void rs_answer_offer_row(struct rs_answer *answer, const struct rs_row *row, uint32_t number, struct rs_words *words)
{
	enum rs_row_kind kind = rs_classify_row(row, words);
	if (kind == RS_ROW_CONSTANT_ONLY)
		return;

	uint32_t function = kind == RS_ROW_PLAIN && classify_function_name(words, row->function) != RS_WORD_NOTHING
				    ? row->function
				    : 0;
	if (answer->other_function == 0)
		answer->other_function = function;

	int rank = row->line			      ? RS_ANSWER_LINE
		   : get_known_file(words, row->file) ? RS_ANSWER_FILE
		   : function			      ? RS_ANSWER_FUNCTION
						      : RS_ANSWER_EMPTY;
	if (rank > (int)answer->rank) {
		answer->rank = (unsigned)rank;
		answer->row = *row;
		answer->number = number;
		/* UINT32_MAX, which is no offset of a string, marks a function that is a linker constant.  When all
		   rows have been added, rs_answer_make_payload() replaces the mark by the function of another row. */
		answer->row.function = kind == RS_ROW_CONSTANT_NAME ? UINT32_MAX : function;
	}
}

/*@ requires judging(words) && \valid_read(answer) && \separated(words, words->strings, words->fault, answer);
    assigns words->function, words->file, words->failed, *words->fault; */
struct rs_payload rs_answer_make_payload(const struct rs_answer *answer, struct rs_words *words)
{
	static const struct rs_payload nothing = { 0, 0, 0 };
	if (answer->rank <= RS_ANSWER_EMPTY)
		return nothing;

	struct rs_payload payload = { answer->row.function, get_known_file(words, answer->row.file), answer->row.line };
	if (payload.function == UINT32_MAX)
		payload.function = answer->other_function;
	/* A terminator as the function marks the end of code: nothing is known from this address on. */
	if (classify_function_name(words, payload.function) == RS_WORD_TERMINATOR)
		return nothing;
	return payload;
}
