/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.h - the row that answers for an address, found without reading the table
 *
 * A binary search that reads single rows until few are left, then those at once.  Each row it meets must fit between
 * the rows that it has met before: that is as much of the table's order as a single look-up can check.
 */
#ifndef RS_LOOKUP_H
#define RS_LOOKUP_H

#include "core/answer.h"

/* What rs_lookup() has found. */
struct rs_found {
	struct rs_payload payload;
	uint64_t at;  /* the address of the rows that answer; at or below the one asked for */
	uint32_t row; /* the number of the one that has the line */
};

/*
 * Find what the table says at ADDRESS.  Returns 1, 0 if no row at or below it counts, or -1.  Returns RS_LOOKUP_FAR if
 * the walk down from ADDRESS passed MOST rows without an answer; UINT32_MAX is no limit.
 */
enum { RS_LOOKUP_FAR = 2 };

int rs_lookup(const struct rs_table *table, uint64_t address, uint32_t most, struct rs_found *found,
	      struct rossym_fault *fault);

/* Store the lowest address above ADDRESS at which a row counts.  Returns 1, 0 if there is none, or -1. */
int rs_lookup_next(const struct rs_table *table, uint64_t address, uint64_t *next, struct rossym_fault *fault);

#endif
