/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * answer.h - combines all rows of one address into one answer: function, file and line
 *
 * Rows often share an address: one has a line, others are aliases from the COFF symbols, others linker constants, which
 * are no addresses (words.h).  The first row with a line gives the answer; else the first with a file; else the first
 * with a function.  If the function of that row is a linker constant, the first other function at the address replaces
 * it; if there is none, the function is unknown.  Rows with a linker constant, but neither file nor line, are ignored.
 */
#ifndef RS_ANSWER_H
#define RS_ANSWER_H

#include "core/table.h"
#include "core/words.h"

struct rs_answer {
	struct rs_row row;	 /* the row that gives the answer so far */
	uint32_t number;	 /* the number of that row in the table */
	uint32_t other_function; /* of the first row whose function is known and no linker constant; 0: none so far */
	/* The best thing known in `row`.  NONE: all rows so far were ignored; EMPTY: nothing in `row` is known. */
	enum { RS_ANSWER_NONE, RS_ANSWER_EMPTY, RS_ANSWER_FUNCTION, RS_ANSWER_FILE, RS_ANSWER_LINE } rank;
};

enum rs_row_kind {
	RS_ROW_PLAIN,	      /* its function is no linker constant */
	RS_ROW_CONSTANT_NAME, /* has a line or a file, but its function is a linker constant */
	RS_ROW_CONSTANT_ONLY, /* has a linker constant, but neither line nor file: it is ignored */
};
enum rs_row_kind rs_classify_row(const struct rs_row *row, struct rs_words *words);

void rs_answer_start(struct rs_answer *answer);

/* Add ROW, which is row NUMBER of the table, to ANSWER.  Add the rows of an address in table order: ANSWER keeps the
   first of several rows with equal rank. */
void rs_answer_offer_row(struct rs_answer *answer, const struct rs_row *row, uint32_t number, struct rs_words *words);

/* The final answer: offsets of two strings, and the line; 0: unknown.  A row that marks the end of code gives all 0. */
struct rs_payload {
	uint32_t function, file, line;
};
struct rs_payload rs_answer_make_payload(const struct rs_answer *answer, struct rs_words *words);

#endif
