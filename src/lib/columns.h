/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - the records of a chunk of the extension block: rows of up to four numbers
 *
 * Each column has a width in bits, the same in all records of a chunk.  A record is its numbers one after the other,
 * the first in the lowest bits, and begins at a whole byte.  So all records have the same size, and a sorted column can be
 * bisected without unpacking anything.
 *
 * The block's first form has 32 bits for every number.  In its second form the widths come before the records.
 */
#ifndef RS_COLUMNS_H
#define RS_COLUMNS_H

#include "core/bytes.h"
#include "core/layout.h"

#include <stdbool.h>

struct rs_columns {
	const uint8_t *bytes;		/* the records, and at least RS_COLUMNS_SLACK readable bytes after the last */
	uint32_t count;			/* of records */
	uint8_t size;			/* bytes of a record, 1 to 16 */
	uint8_t first[RS_COLUMNS_MAX];	/* the lowest bit of each column, counted from the record's first byte */
	uint8_t width[RS_COLUMNS_MAX];	/* in bits, 0 to 32 */
};

/* A number is read with the eight bytes from its first byte on. */
enum { RS_COLUMNS_SLACK = 8 };

/* Number COLUMN of record NUMBER; the caller makes sure that it exists. */
static inline uint32_t rs_column(const struct rs_columns *records, uint32_t number, unsigned column)
{
	const uint8_t *p = records->bytes + (size_t)number * records->size + records->first[column] / 8;
	uint64_t mask = (UINT64_C(1) << records->width[column]) - 1;
	return (uint32_t)(rs_le64(p) >> records->first[column] % 8 & mask);
}

/* The same for a column of frame numbers, in which all bits set mean "no frame". */
static inline uint32_t rs_column_frame(const struct rs_columns *records, uint32_t number, unsigned column)
{
	uint32_t value = rs_column(records, number, column);
	return value == (UINT64_C(1) << records->width[column]) - 1 ? RS_BLOCK_NONE : value;
}

/* Lay out COLUMNS columns of these widths.  Returns the size of a record in bytes, 0 if all widths are 0. */
uint32_t rs_columns_lay_out(struct rs_columns *records, const uint8_t *widths, unsigned columns);

/* How many records have a number up to KEY in their first column, which ascends. */
uint32_t rs_columns_up_to(const struct rs_columns *records, uint64_t key);

/* ------------------------------------------------------------------------------------------------- writing */

/* Find the narrowest widths for COUNT records of COLUMNS numbers each, record by record in NUMBERS.  In the columns whose
   bit is set in FRAMES, RS_BLOCK_NONE is stored as all bits set, which no other number there may be. */
void rs_columns_fit(struct rs_columns *records, const uint32_t *numbers, uint32_t count, unsigned columns, unsigned frames);

/* Write the records as rs_columns_fit() has laid them out, to BYTES: zeros, records->count * records->size of them. */
void rs_columns_write(const struct rs_columns *records, const uint32_t *numbers, unsigned columns, uint8_t *bytes);

#endif
