/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record.h - prints answers in three output styles: GNU addr2line's, and LLVM and JSON of llvm-symbolizer
 *
 * GNU  record   = [ address ] , ( notfound | frame , { more } )
 *      address  = "0x" digits ( "\n" | ": " if pretty )                        8 digits or 16
 *      notfound = [ "??" ( "\n" | " " if pretty ) if functions ] "??:0\n"
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" ( line | "?" ) "\n"
 *      more     = [ " (inlined by) " if pretty ] frame                        with -i: the outer frames
 *
 * LLVM record   = [ address ] , frame , { more } , "\n"
 *      address  = as above, but without leading zeros
 *      frame    = [ name ( "\n" | " at " if pretty ) if functions ] file ":" line ":" column "\n"
 *      Unknown parts are "??" or 0; column is 0 in an image with a table.
 *
 * JSON with the keys of llvm-symbolizer: the function is always there, with or without -f.  With -i, a record has a
 *      symbol for each frame, the innermost first.  With -p, records are indented.
 *
 * Without -i, LLVM and JSON print file and line of the innermost frame with the function of the outermost one, if the
 * table has an extension block, because LLVM's tools do so.
 */
#ifndef ANSWER_RECORD_H
#define ANSWER_RECORD_H

#include "tool/out.h"
#include "answer/query.h"
#include "answer/record-style.h"

/* Call these before and after the records of operands, which in JSON are the elements of an array. */
void record_open_array(struct record_style *style, struct out *out);
void record_close_array(struct record_style *style);

/* Whether STYLE prints all frames of an address, so that rossym_lookup_frames() is needed. */
bool records_want_frames(const struct record_style *style);

/* Print RECORDS.  False: no memory. */
bool records_print(struct record_style *style, struct out *out, const struct records *records);

/* Print the record of QUERY, whose kind is QUERY_DATA.  FUNCTION is the function at its address; NULL: there is none.
   False: no memory. */
bool record_print_data(struct record_style *style, struct out *out, const struct query *query,
		       const struct rossym_function *function);

/* Print the record of QUERY, whose kind is neither QUERY_ADDRESS nor QUERY_DATA, so that nothing is
   known.  False: no memory. */
bool record_print_failure(struct record_style *style, struct out *out, const struct query *query);

#endif
