/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - stores details of lines while debug information is read: column, discriminator, where the function begins
 *
 * A place is a line with its details.  Spans (ranges of code), rows and frames have a field for the line.  If details
 * are wanted, that field can have the number of a place, PLACES_FIRST or above, instead of a line.  Equal places have
 * equal numbers, so code that compares and copies lines handles details, too, and code with another column gets its own
 * row.  When all rows are made, rs_places_extract_details() takes the details out of them; the rows are then as if none
 * were wanted.
 *
 * Most places have only a line and a column.  Such a place is encoded in its number: PLACES_DIRECT, the line in 18
 * bits, the column in 12.  For example, line 300 with column 10 is 0xc012c00a.
 */
#ifndef DEBUGINFO_BASE_PLACES_H
#define DEBUGINFO_BASE_PLACES_H

#include "compat/hash.h"
#include "lib/base/details.h"
#include "write/draft.h"

/* A number below PLACES_FIRST is a line.  A number from there up to PLACES_DIRECT is PLACES_FIRST plus an index in the
   items of struct rs_places.  A number from PLACES_DIRECT on encodes a line and a column. */
#define PLACES_FIRST 0x80000000u
#define PLACES_DIRECT 0xc0000000u

/* The places that are not encoded in their numbers.  All zeros at first. */
struct rs_places {
	struct rs_place *items; /* their start_file is a string number, not an offset */
	uint32_t count, room;
	struct hash_table table;
};

/* Store in *RET the line of PLACE, if PLACE has nothing else; otherwise the number of PLACE.  Returns 0; or -1:
   ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many places. */
int rs_places_add(struct rs_places *places, struct rs_place place, uint32_t *ret, struct rossym_error *err);

/* Returns the place that LINE stands for, which can be the number of a place, or a line.  PLACES may be NULL. */
struct rs_place rs_places_get(const struct rs_places *places, uint32_t line);

/* Add start_file and start_line of the place with the number START to the place that *LINE stands for, and store the
   number of the result in *LINE.  If START is 0, do nothing.  Returns 0 or -1, as rs_places_add(). */
int rs_places_add_start(struct rs_places *places, uint32_t *line, uint32_t start, struct rossym_error *err);

/* Take the details out of DRAFT: replace numbers of places in rows and frames by lines, and drop rows that are then
   equal to the row before.  Rows ascend; those whose function is TERMINATOR mark the end of code.  Returns details that
   the caller must give to rs_details_free(); NULL if memory runs out. */
struct rs_details *rs_places_extract_details(const struct rs_places *places, struct rs_draft *draft,
					     uint32_t terminator, struct rossym_error *err);

void rs_places_clear(struct rs_places *places);

#endif
