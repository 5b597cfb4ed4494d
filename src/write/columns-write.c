// SPDX-License-Identifier: GPL-2.0-or-later
/* columns-write.c - find the widths of columns, and write records */
#include "config.h"
#include "write/columns-write.h"

/* How many bits NUMBER takes, at most 32. */
static uint8_t bits_of(uint64_t number)
{
	uint8_t bits = 0;
	for (; bits < 32 && number >> bits; bits++)
		;
	return bits;
}

void rs_columns_fit(struct rs_columns *records, const uint32_t *numbers, uint32_t count, unsigned columns,
		    unsigned frames)
{
	uint64_t most[RS_COLUMNS_MAX] = { 0 };
	uint8_t widths[RS_COLUMNS_MAX] = { 0 };
	for (size_t i = 0; i < (size_t)count * columns; i++) {
		unsigned column = (unsigned)(i % columns);
		/* One more than the largest frame number, so that "no frame" has a pattern of its own. */
		bool frame = frames >> column & 1;
		uint64_t number = !frame ? numbers[i] : numbers[i] == RS_BLOCK_NONE ? 1 : (uint64_t)numbers[i] + 1;
		if (number > most[column])
			most[column] = number;
	}
	for (unsigned i = 0; i < columns; i++)
		widths[i] = bits_of(most[i]);
	if (widths[0] == 0)
		widths[0] = 1; /* so that the size of a record is not 0 */
	rs_columns_lay_out(records, widths, columns);
	records->count = count;
}

void rs_columns_write(const struct rs_columns *records, const uint32_t *numbers, unsigned columns, uint8_t *bytes)
{
	for (uint32_t i = 0; i < records->count; i++, bytes += records->size)
		for (unsigned column = 0; column < columns; column++) {
			uint64_t value = *numbers++ & ((UINT64_C(1) << records->width[column]) - 1);
			uint8_t *p = bytes + records->first[column] / 8;
			for (value <<= records->first[column] % 8; value; value >>= 8)
				*p++ |= (uint8_t)value;
		}
}
