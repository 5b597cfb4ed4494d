/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.h - what all rows of one address say together
 *
 * Rows often share an address: one has a line, others are aliases from the COFF symbols, others linker constants
 * (words.h).  The first row with a line gives the answer; else the first with a file; else the first with a function.
 * If the function of that row is a linker constant, the first other function at the address replaces it, or the
 * function is unknown if there is none.  Rows that have a linker constant and neither file nor line are ignored.
 */
#ifndef RS_ANSWER_H
#define RS_ANSWER_H

#include "core/table.h"
#include "core/words.h"

struct rs_answer {
	struct rs_row row;	 /* the row that gives the answer so far */
	uint32_t number;	 /* the number of that row in the table */
	uint32_t other_function; /* the first function that is no linker constant (words.h); 0: there was none yet */
	/* The best that `row` has.  NONE: all rows so far were ignored; EMPTY: function, file and line are unknown. */
	enum { RS_ANSWER_NONE, RS_ANSWER_EMPTY, RS_ANSWER_FUNCTION, RS_ANSWER_FILE, RS_ANSWER_LINE } rank;
};

enum rs_row_kind {
	RS_ROW_PLAIN,
	RS_ROW_CONSTANT_NAME, /* has a line or a file, but its function is a linker constant */
	RS_ROW_CONSTANT_ONLY, /* has a linker constant, but neither line nor file: it is ignored */
};
enum rs_row_kind rs_row_kind(const struct rs_row *row, struct rs_words *words);

void rs_answer_start(struct rs_answer *answer);

/* Add the next row at this address, which is row NUMBER of the table.  Call this in table order: of rows of equal rank,
   the first one stays. */
void rs_answer_add_row(struct rs_answer *answer, const struct rs_row *row, uint32_t number, struct rs_words *words);

/* What to show: the offsets of two strings, and the line.  All are 0 if nothing is known. */
struct rs_payload {
	uint32_t function, file, line;
};
struct rs_payload rs_answer_payload(const struct rs_answer *answer, struct rs_words *words);

#endif
