/* SPDX-License-Identifier: GPL-2.0-or-later */
/* table.h - rows of the core's struct rs_table in arrays, and strings in memory, for callers that go through all of them */
#ifndef RS_TABLE_H
#define RS_TABLE_H

#include "core/table.h"
#include "lib/error.h"

/* How many rows rs_table_read() can be asked for at once. */
enum { RS_ROWS_MAX = 256 };

/* Read COUNT rows, which exist, beginning with row FIRST. */
int rs_table_read(const struct rs_table *table, uint32_t first, uint32_t count, struct rs_row *rows, struct rossym_error *err);

/* Describe the first row that is out of order.  Returns -1, whatever it finds. */
int rs_table_fail(const struct rs_table *table, struct rossym_error *err);

/* The string at OFFSET of STRINGS, all strings of TABLE; NULL if it is outside.  Offset 0 is "", whatever the bytes there say. */
static inline const char *rs_table_string(const struct rs_table *table, const char *strings, uint32_t offset)
{
	if (offset == 0)
		return "";
	return offset < table->strings.length ? strings + offset : NULL;
}

/* For the core: all strings of TABLE are in memory, at STRINGS. */
static inline struct rs_strings rs_strings_at(const struct rs_table *table, const char *strings)
{
	const uint32_t length = table->strings.length;
	return (struct rs_strings){ .reader = { .memory = strings, .size = length }, .length = length };
}

#endif
