// SPDX-License-Identifier: GPL-2.0-or-later
/* columns.c - lay out the records of a chunk, and bisect them */
#include "core/columns.h"

uint32_t rs_columns_lay_out(struct rs_columns *records, const uint8_t *widths, unsigned columns)
{
	unsigned bits = 0;
	for (unsigned i = 0; i < columns; i++) {
		records->first[i] = (uint8_t)bits;
		records->width[i] = widths[i];
		bits += widths[i];
	}
	records->size = (uint8_t)((bits + 7) / 8);
	return records->size;
}

int rs_columns_up_to(const struct rs_columns *records, uint64_t key, uint32_t *count, struct rossym_fault *fault)
{
	uint8_t buffer[RS_RECORD_ROOM];
	uint32_t low = 0, high = records->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const uint8_t *record = rs_record(records, middle, buffer, fault);
		if (!record)
			return -1;
		if (rs_number(records, record, 0) <= key)
			low = middle + 1;
		else
			high = middle;
	}
	*count = low;
	return 0;
}
