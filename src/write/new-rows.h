/* SPDX-License-Identifier: GPL-2.0-or-later */
/* new-rows.h - the rows of a table that is being made: added in any order, sorted by address when they are written */
#ifndef RS_NEW_ROWS_H
#define RS_NEW_ROWS_H

#include "write/pool.h"

struct rs_new_row {
	uint32_t rva;
	uint32_t function, file; /* numbers of strings */
	uint32_t line;
	uint32_t frame; /* number of the first frame of its chain (frames.h), or 0 */
};

/* All zeros: no rows. */
struct rs_rows {
	struct rs_new_row *items;
	uint32_t count, room;
};

void rs_rows_clear(struct rs_rows *rows);

/* Add ROW.  Returns 0, or -1: ROSSYM_ENOMEM; ROSSYM_EREFUSED if a table cannot have so many. */
int rs_rows_add(struct rs_rows *rows, struct rs_new_row row, struct rossym_error *err);

/* Make room for MORE rows that will be added.  Returns 0, or -1: ROSSYM_ENOMEM. */
int rs_rows_reserve(struct rs_rows *rows, uint64_t more, struct rossym_error *err);

/* Write the rows to TO, RS_ROW_SIZE bytes each.  STRINGS has all strings of the rows, and has been laid out. */
void rs_rows_write(const struct rs_rows *rows, const struct rs_pool *strings, uint8_t *to);

#endif
