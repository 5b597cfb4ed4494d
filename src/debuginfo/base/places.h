/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * places.h - keeps columns, discriminators and the lines of functions while debug information is read
 *
 * Spans, rows and frames have a line.  If details are wanted, the line can be a number from PLACES_FIRST on instead:
 * that of a place, which has a line and more.  Equal places have equal numbers.  So all code that compares and copies
 * lines keeps the details, too, and code with another column gets its own row.  When all rows have been made,
 * rs_places_extract_details() takes the details out: the rows are then the same as if there had been none.
 *
 * A place with nothing but a line and a column, as most rows of line tables have, is in the number itself: PLACES_DIRECT,
 * the line in 18 bits, the column in 12.  Line 300, column 10 are 0xc012c00a.
 */
#ifndef DEBUGINFO_BASE_PLACES_H
#define DEBUGINFO_BASE_PLACES_H

#include "compat/hash.h"
#include "lib/base/details.h"
#include "write/draft.h"

/* PLACES_FIRST: lower numbers are lines, the others are numbers of places.  PLACES_DIRECT: the first number that itself has
   the line and the column of a place. */
#define PLACES_FIRST 0x80000000u
#define PLACES_DIRECT 0xc0000000u

/* All zeros: none. */
struct rs_places {
	struct rs_place *items; /* start_file is the number of a string */
	uint32_t count, room;
	struct hash_table table;
};

/* Store in *RET the line of PLACE, if PLACE has nothing else; otherwise the number of PLACE.  Returns 0; or -1:
   ROSSYM_ENOMEM, or ROSSYM_EREFUSED for too many places. */
int rs_places_add(struct rs_places *places, struct rs_place place, uint32_t *ret, struct rossym_error *err);

/* Returns the place that LINE stands for, which can be the number of a place, or a line.  PLACES may be NULL. */
struct rs_place rs_places_get(const struct rs_places *places, uint32_t line);

/* START is 0, or stands for a place with the file and line where a function begins.  Unless START is 0, add both to the
   place of *LINE, and store the number of the result in *LINE.  Returns 0 or -1, as rs_places_add(). */
int rs_places_add_start(struct rs_places *places, uint32_t *line, uint32_t start, struct rossym_error *err);

/* Take the details out of DRAFT: replace numbers of places in rows and frames by lines, and leave out rows that are then
   equal to the row before.  Rows ascend; those whose function is TERMINATOR mark the end of code.  Returns details that
   the caller must give to rs_details_free(); NULL without memory. */
struct rs_details *rs_places_extract_details(const struct rs_places *places, struct rs_draft *draft,
					     uint32_t terminator, struct rossym_error *err);

void rs_places_clear(struct rs_places *places);

#endif
