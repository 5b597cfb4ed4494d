/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record-json.h - prints records as JSON objects with the keys of llvm-symbolizer
 *
 * The function is always there, with or without -f.  With -i, a record has a symbol for each frame, the innermost
 * first.  With -p, records are indented.
 */
#ifndef ANSWER_RECORD_JSON_H
#define ANSWER_RECORD_JSON_H

#include "tool/out.h"
#include "answer/query.h"
#include "answer/record-style.h"

/* Print the record of ADDRESS.  False: no memory. */
bool record_print_json(struct record_style *style, struct out *out, uint64_t address, struct record_subject subject);

/* Print the record of QUERY, whose kind is QUERY_DATA.  Its function is NAME, which begins at START and has SIZE bytes;
   a NAME of "": there is no function. */
void record_print_json_data(struct record_style *style, struct out *out, const struct query *query, const char *name,
			    uint64_t start, uint64_t size);

/* Print the record of QUERY, whose kind is neither QUERY_ADDRESS nor QUERY_DATA. */
void record_print_json_failure(struct record_style *style, struct out *out, const struct query *query);

#endif
