/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table-rows.h - reads rows of a table (the core's struct rs_table) into arrays, for callers that need all rows; copies
   whole tables; finds strings in memory */
#ifndef RS_TABLE_H
#define RS_TABLE_H

#include "core/table.h"
#include "lib/base/error.h"

enum { RS_ROWS_MAX = 256 }; /* the most rows that rs_table_read_rows() reads at once */

/* Read COUNT rows, at most RS_ROWS_MAX, from row FIRST on into ROWS; the rows must exist.  Returns 0 or -1. */
int rs_table_read_rows(const struct rs_table *table, uint32_t first, uint32_t count, struct rs_row *rows,
		       struct rossym_error *err);

/* Copy TABLE, in the form that it has in the file, and the block after it.  The block must end at or before END.
   Stores the bytes, to be rs_free()d, in *RET and their number in *RET_SIZE.  Returns 0 or -1. */
int rs_table_copy(const struct rs_table *table, uint64_t end, uint8_t **ret, size_t *ret_size,
		  struct rossym_error *err);

/* Store in *ERR the error for rows that are out of order.  Searches for the first such row, and names it in the error;
   if all rows are in order now, the error says that the file has changed.  rs_table_fail_order() of the core does this
   with a struct rossym_fault.  Returns -1. */
int rs_table_fail_unordered(const struct rs_table *table, struct rossym_error *err);

/* Returns the string at OFFSET of STRINGS, which are all strings of TABLE; NULL if OFFSET is outside of them.  Offset
   0, the unknown string, gives "", whatever the bytes there are. */
static inline const char *rs_table_string(const struct rs_table *table, const char *strings, uint32_t offset)
{
	if (offset == 0)
		return "";
	return offset < table->strings.length ? strings + offset : NULL;
}

/* Returns a struct rs_strings through which the core reads the strings of TABLE in memory, at STRINGS. */
static inline struct rs_strings rs_strings_at(const struct rs_table *table, const char *strings)
{
	const uint32_t length = table->strings.length;
	return (struct rs_strings){ .reader = { .memory = strings, .size = length }, .length = length };
}

#endif
