/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.h - finds the row that answers for an address, without reading the whole table
 *
 * A binary search over the first rows of all windows (pieces of the table, see table.h) finds the window that has the
 * row; then the rows of that window are searched.  A look-up fails if the addresses of the rows that it reads do not
 * ascend.  It does not check the order of other rows.
 */
#ifndef RS_LOOKUP_H
#define RS_LOOKUP_H

#include "core/answer.h"

/* What rs_lookup() has found. */
struct rs_found {
	struct rs_payload payload;
	uint64_t at;  /* the address of the rows that answer; at or below the address that was looked up */
	uint32_t row; /* the number of the row with the line and file of the answer */
};

/*
 * Find what the table says at ADDRESS.  A row counts unless all it has is the name of a linker constant: a symbol that
 * is no address (words.h).  Returns 1; 0 if no row at or below ADDRESS counts; -1 on a fault; or RS_LOOKUP_FAR if the
 * answer needs more than the last MOST rows at or below ADDRESS.  A MOST of UINT32_MAX is no limit.
 */
enum { RS_LOOKUP_FAR = 2 };

int rs_lookup(const struct rs_table *table, uint64_t address, uint32_t most, struct rs_found *found,
	      struct rossym_fault *fault);

/* Store in *NEXT the lowest address above ADDRESS at which a row counts (see rs_lookup()).  Returns 1; 0 if there is
   none; or -1 on a fault. */
int rs_lookup_next_address(const struct rs_table *table, uint64_t address, uint64_t *next, struct rossym_fault *fault);

#endif
