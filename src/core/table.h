/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table.h - the rows and strings of a .rossym section, as they are in the file
 *
 * Opening checks the header and the bounds: after that every row and all strings lie in the file.  Rows are not checked
 * before they are used: rs_row_check() checks one, rs_table_check() all of them.
 */
#ifndef RS_CORE_TABLE_H
#define RS_CORE_TABLE_H

#include "core/packed.h"

/* A row in memory, whichever size it has in the file. */
struct rs_row {
	uint64_t address;
	uint32_t function; /* function and file are offsets into the strings */
	uint32_t file;
	uint32_t line;
};

/*@ predicate opened{L}(struct rs_table *t) =
      \valid_read(t) && readable(&t->reader) && readable(&t->strings.reader) &&
      (t->packed.groups != 0 ==> packed_widths(t)) &&
      (t->row_size == RS_ROW_SIZE || t->row_size == RS_ROW_SIZE_64 || t->row_size == RS_ROW_SIZE_64_PADDED); */

/*
 * Open the table at OFFSET of READER.  SIZE is the number of bytes that its section claims to have; the reader may have
 * fewer.  WIDE: the table is of a 64-bit image, whose rows have one of three sizes.  Returns 0 or -1.
 */
int rs_table_open(struct rs_table *table, const struct rossym_reader *reader, uint64_t offset, uint64_t size, bool wide,
		  struct rossym_fault *fault);

/* Returns the bytes of COUNT rows, which must exist, from row FIRST on: in the reader's memory, or read into BUFFER.
   NULL on a fault.  Packed rows must be of one group; complete each decoded row with rs_row_resolve_context(). */
/*@ requires opened(table) && \valid(fault) && \separated(table, fault);
    requires room(buffer, count * table->row_size);
    assigns *fault, buffer[0 .. count * table->row_size - 1];
    ensures \result == \null || bytes(\result, count * table->row_size); */
static inline const uint8_t *rs_table_view_rows(const struct rs_table *table, uint32_t first, uint32_t count,
						uint8_t *buffer, struct rossym_fault *fault)
{
	if (rs_is_packed(table))
		return rs_packed_unpack_rows(table, first, count, buffer, fault) < 0 ? NULL : buffer;
	return rs_view(&table->reader, table->rows_offset + (uint64_t)first * table->row_size,
		       (size_t)count * table->row_size, buffer, fault);
}

/* Returns the row whose bytes begin at P. */
/*@ requires opened(table) && bytes(p, table->row_size);
    assigns \nothing; */
static inline struct rs_row rs_table_decode_row(const struct rs_table *table, const uint8_t *p)
{
	struct rs_row row = { .address = 0 };
	if (table->row_size == RS_ROW_SIZE) {
		row.address = rs_le32(p);
	} else {
		row.address = rs_le64(p);
		p += 4;
	}
	row.function = rs_le32(p + RS_ROW_FUNCTION);
	row.file = rs_le32(p + RS_ROW_FILE);
	row.line = rs_le32(p + RS_ROW_LINE);
	return row;
}

/* Complete ROW, which is row NUMBER and comes from rs_table_decode_row(): if the table is packed, replace the number of
   the context, which is in row->function, by the context's function and file.  Returns 0 or -1. */
/*@ requires opened(table) && \valid(row) && \valid(fault) && \separated(table, row, fault);
    assigns *row, *fault;
    ensures row->address == \old(row->address); */
static inline int rs_row_resolve_context(const struct rs_table *table, uint32_t number, struct rs_row *row,
					 struct rossym_fault *fault)
{
	struct rs_context context;
	if (!rs_is_packed(table))
		return 0;
	if (rs_packed_read_context(table, row->function, number, &context, fault) < 0)
		return -1;
	row->function = context.function;
	row->file = context.file;
	return 0;
}

/* Returns how many rows a window has: 21 to 32, as many as fit into RS_WINDOW_SIZE bytes.  Windows are the pieces in
   which rows are read: window N begins with row N times this number.  The windows of packed rows are their groups. */
/*@ requires opened(table);
    assigns \nothing;
    ensures \result == RS_WINDOW_SIZE / table->row_size && (\result == 21 || \result == 25 || \result == 32);
    ensures \result * table->row_size <= RS_WINDOW_SIZE; */
static inline uint32_t rs_table_rows_per_window(const struct rs_table *table)
{
	return RS_WINDOW_SIZE / table->row_size;
}

/* Returns how many of COUNT rows to read at once: at most as many as a window has. */
/*@ requires opened(table);
    assigns \nothing;
    ensures \result <= count && \result * table->row_size <= RS_WINDOW_SIZE;
    ensures \result == count || \result == RS_WINDOW_SIZE / table->row_size;
    ensures count > 0 ==> \result > 0; */
static inline uint32_t rs_table_rows_at_once(const struct rs_table *table, uint32_t count)
{
	const uint32_t most = rs_table_rows_per_window(table);
	return count < most ? count : most;
}

/* Whether OFFSET is inside STRINGS, or is 0, the unknown string. */
/*@ requires \valid_read(strings);
    assigns \nothing; */
static inline bool rs_is_string_offset(const struct rs_strings *strings, uint32_t offset)
{
	return offset == 0 || offset < strings->length;
}

/* Check ROW, which is row NUMBER; BEFORE is the address of the row before it; 0: there is none.  Returns 0; or -1 if
   ROW's address is below BEFORE, or the offset of its function or file is outside the strings. */
int rs_row_check(const struct rs_table *table, uint32_t number, const struct rs_row *row, uint64_t before,
		 struct rossym_fault *fault);

/* Check all rows with rs_row_check().  Returns 0 or -1. */
int rs_table_check(const struct rs_table *table, struct rossym_fault *fault);

/* Store the fault for a row that was found out of order.  Checks the order of all rows again: the fault is that of the
   first row that is out of order, or ROSSYM_FAULT_CHANGED if there is none now.  Returns -1. */
int rs_table_fail_order(const struct rs_table *table, struct rossym_fault *fault);

#endif
