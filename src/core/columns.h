/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * columns.h - the records of a chunk of the extension block; a record has up to four numbers
 *
 * Each column has a width in bits, the same in all records of a chunk.  A record is its numbers one after the other,
 * the first in the lowest bits, and begins at a whole byte.  So all records have the same size, and a sorted column can
 * be bisected where it is, without unpacking the records first.
 *
 * In the oldest form of the block, ROSSYMX1, each number has 32 bits.  In later forms, widths come before the records.
 */
#ifndef RS_COLUMNS_H
#define RS_COLUMNS_H

#include "core/layout.h"
#include "core/mem.h"
#include "core/view.h"

/* The size of the largest record, and how many bytes must be readable from a record's first byte on: rs_read_column()
   reads eight bytes from a number's first byte on, so it can read up to seven bytes after the record, which do not
   change its result. */
enum { RS_RECORD_SIZE_MAX = 16, RS_RECORD_ROOM = 24 };

/*@ predicate widths{L}(struct rs_columns *r) =
      \forall integer i; 0 <= i < RS_COLUMNS_MAX ==> r->first[i] <= 96 && r->width[i] <= 32;
    predicate laid_out{L}(struct rs_columns *r) =
      \valid_read(r) && readable(&r->reader) && r->size <= RS_RECORD_SIZE_MAX && widths(r); */

/* Returns RS_RECORD_ROOM readable bytes, in the reader's memory or in BUFFER, that begin with record NUMBER, which must
   exist; or NULL on a fault. */
/*@ requires laid_out(records) && room(buffer, RS_RECORD_ROOM) && \valid(fault);
    requires \separated(records, fault, buffer + (0 .. RS_RECORD_ROOM - 1));
    requires apart(buffer, RS_RECORD_ROOM, &records->reader);
    assigns *fault, buffer[0 .. RS_RECORD_ROOM - 1];
    ensures \result == \null || bytes(\result, RS_RECORD_ROOM); */
static inline const uint8_t *rs_read_record(const struct rs_columns *records, uint32_t number,
					    uint8_t buffer[RS_RECORD_ROOM], struct rossym_fault *fault)
{
	const struct rossym_reader *reader = &records->reader;
	uint64_t at = records->offset + (uint64_t)number * records->size;
	if (reader->memory && rs_in_range(at, RS_RECORD_ROOM, reader->size))
		return (const uint8_t *)reader->memory + (size_t)at;
	memset(buffer, 0, RS_RECORD_ROOM);
	const uint8_t *p = rs_view(reader, at, records->size, buffer, fault);
	if (p && p != buffer)
		memcpy(buffer, p, records->size);
	return p ? buffer : NULL;
}

/* Returns the number in COLUMN of RECORD.  A number has at most 32 bits and begins at one of the bits 0 to 7 of its
   first byte, so it lies within the eight bytes that are read. */
/*@ requires laid_out(records) && bytes(record, RS_RECORD_ROOM) && column < RS_COLUMNS_MAX;
    assigns \nothing; */
static inline uint32_t rs_read_column(const struct rs_columns *records, const uint8_t *record, unsigned column)
{
	uint64_t mask = (UINT64_C(1) << records->width[column]) - 1;
	return (uint32_t)(rs_le64(record + records->first[column] / 8) >> records->first[column] % 8 & mask);
}

/* Returns the frame number in COLUMN of RECORD; RS_BLOCK_NONE, which means "no frame", if all its bits are set. */
/*@ requires laid_out(records) && bytes(record, RS_RECORD_ROOM) && column < RS_COLUMNS_MAX;
    assigns \nothing; */
static inline uint32_t rs_read_frame_column(const struct rs_columns *records, const uint8_t *record, unsigned column)
{
	uint32_t value = rs_read_column(records, record, column);
	return value == (UINT64_C(1) << records->width[column]) - 1 ? RS_BLOCK_NONE : value;
}

/* Check the RS_WIDTHS_SIZE bytes of WIDTHS, which are at offset PLACE in the file: the first COLUMNS of them must be at
   most 32, the others 0.  Returns 0 or -1. */
int rs_widths_check(const uint8_t *widths, unsigned columns, uint64_t place, struct rossym_fault *fault);

/* Store in RECORDS the width and the first bit of each column of a record, and the size of a record in bytes.  A column
   that does not exist has the width 0.  Returns that size; 0 if all widths are 0. */
uint32_t rs_columns_lay_out(struct rs_columns *records, const uint8_t *widths);

/* Store in *COUNT how many records have at most KEY in their first column, which ascends.  Returns 0 or -1. */
int rs_count_records_up_to(const struct rs_columns *records, uint64_t key, uint32_t *count, struct rossym_fault *fault);

#endif
