/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lookup.h - the row that answers for an address, found in the file without reading the table
 *
 * A binary search that reads single rows until few are left, then those at once.  Each row it meets must fit between
 * the rows that it has met before: that is as much of the table's order as a single look-up can check.
 */
#ifndef RS_LOOKUP_H
#define RS_LOOKUP_H

#include "lib/answer.h"

/*
 * What the table says at ADDRESS: 1 and the address of the rows that speak in *AT, 0 if there are none, -1; or
 * RS_LOOKUP_FAR if so many rows would have to be read that an index should be built and asked.
 */
enum { RS_LOOKUP_FAR = 2 };

int rs_lookup(struct rs_table *table, const struct rs_source *source, uint64_t address, struct rs_payload *payload,
	      uint64_t *at, struct rossym_error *err);

#endif
