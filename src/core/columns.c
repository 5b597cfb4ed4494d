// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * columns.c - lay out the records of a chunk, and bisect them
 *
 * For example, the records of contexts (packed.h) in the packed table of rossym(5) have the widths 4, 3, 1 and 0.  The
 * columns begin at the bits 0, 4, 7 and 8, so a record has 8 bits, one byte.  The record 0xe1 is 1 110 0001 in binary:
 * function 1, file 6, and no frame, because all bits of the third column are set.
 */
#include "core/columns.h"

/*@ requires bytes(widths, RS_WIDTHS_SIZE) && \valid(fault) && \separated(widths + (0 .. RS_WIDTHS_SIZE - 1), fault);
    assigns *fault;
    ensures \result >= 0 ==> \forall integer i; 0 <= i < RS_WIDTHS_SIZE ==> widths[i] <= 32; */
int rs_widths_check(const uint8_t *widths, unsigned columns, uint64_t place, struct rossym_fault *fault)
{
	/*@ loop invariant i <= RS_WIDTHS_SIZE;
	    loop invariant \forall integer j; 0 <= j < i ==> widths[j] <= 32;
	    loop assigns i, *fault;
	    loop variant RS_WIDTHS_SIZE - i; */
	for (unsigned i = 0; i < RS_WIDTHS_SIZE; i++)
		if (widths[i] > (i < columns ? 32 : 0))
			return rs_fault_store(fault, ROSSYM_FAULT_WIDTH, place + i, i + 1, widths[i], 0);
	return 0;
}

/*@ requires \valid(records) && bytes(widths, RS_COLUMNS_MAX);
    requires \separated(records, widths + (0 .. RS_COLUMNS_MAX - 1));
    requires \forall integer i; 0 <= i < RS_COLUMNS_MAX ==> widths[i] <= 32;
    assigns records->first[0 .. RS_COLUMNS_MAX - 1], records->width[0 .. RS_COLUMNS_MAX - 1], records->size;
    ensures widths(records) && records->size <= RS_RECORD_SIZE_MAX && \result == records->size; */
uint32_t rs_columns_lay_out(struct rs_columns *records, const uint8_t *widths)
{
	unsigned bits = 0;
	/*@ loop invariant i <= RS_COLUMNS_MAX && bits <= 32 * i;
	    loop invariant \forall integer j; 0 <= j < i ==> records->first[j] <= 96 && records->width[j] <= 32;
	    loop assigns i, bits, records->first[0 .. RS_COLUMNS_MAX - 1], records->width[0 .. RS_COLUMNS_MAX - 1];
	    loop variant RS_COLUMNS_MAX - i; */
	for (unsigned i = 0; i < RS_COLUMNS_MAX; i++) {
		records->first[i] = (uint8_t)bits;
		records->width[i] = widths[i];
		bits += widths[i];
	}
	records->size = (uint8_t)((bits + 7) / 8);
	return records->size;
}

/*@ requires laid_out(records) && \valid(count) && \valid(fault);
    requires \separated(records, count, fault);
    assigns *count, *fault;
    ensures \result >= 0 ==> *count <= records->count; */
int rs_count_records_up_to(const struct rs_columns *records, uint64_t key, uint32_t *count, struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	uint32_t low = 0, high = records->count;
	/*@ loop invariant low <= high <= records->count;
	    loop assigns low, high, *fault, buffer[0 .. RS_RECORD_ROOM - 1];
	    loop variant high - low; */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const uint8_t *record = rs_read_record(records, middle, buffer, fault);
		if (!record)
			return -1;
		if (rs_read_column(records, record, 0) <= key)
			low = middle + 1;
		else
			high = middle;
	}
	*count = low;
	return 0;
}
