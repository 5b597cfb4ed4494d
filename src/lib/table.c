// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"

#include <inttypes.h>

static void decode_row(struct rs_row *row, const uint8_t *p, uint32_t row_size)
{
	if (row_size == RS_ROW_SIZE) {
		row->address = rs_le32(p);
	} else {
		row->address = rs_le64(p);
		p += 4;
	}
	row->function = rs_le32(p + 4);
	row->file = rs_le32(p + 8);
	row->line = rs_le32(p + 12);
}

/*
 * Which size the rows of a 64-bit image have is written nowhere.  A size fits if it divides the length, the addresses
 * ascend and hardly any string offset lies outside the strings.  Rows read with a wrong size fail that at
 * once, so a sample decides: a few rows together in places spread over the table.
 */
enum { SAMPLE_PLACES = 16, SAMPLE_ROWS = 32 };

struct fit {
	uint64_t last;
	uint32_t rows, bad;
};

static int fits_place(const struct rs_table *table, const struct rs_source *source, uint32_t first, uint32_t count,
		      struct fit *fit, struct rossym_error *err)
{
	uint8_t buffer[SAMPLE_ROWS * RS_ROW_SIZE_PADDED];
	const uint8_t *p = rs_source_view(source, table->rows_offset + (uint64_t)first * table->row_size,
					  (size_t)count * table->row_size, buffer, err);
	if (!p)
		return -1;
	for (; count > 0; count--, p += table->row_size) {
		struct rs_row row;
		decode_row(&row, p, table->row_size);
		if (row.address < fit->last || (table->row_size == RS_ROW_SIZE_PADDED && rs_le32(p + 20) != 0))
			return 0;
		fit->last = row.address;
		fit->rows++;
		fit->bad += row.function != 0 && row.function >= table->strings_length;
		fit->bad += row.file != 0 && row.file >= table->strings_length;
	}
	return 1;
}

static int fits(const struct rs_table *table, const struct rs_source *source, struct rossym_error *err)
{
	struct fit fit = { 0, 0, 0 };
	uint32_t first = 0;
	for (uint32_t place = 0; place < SAMPLE_PLACES; place++) {
		uint32_t left = table->row_count - first;
		int r = fits_place(table, source, first, left < SAMPLE_ROWS ? left : SAMPLE_ROWS, &fit, err);
		if (r <= 0)
			return r;
		if (left <= SAMPLE_ROWS)
			break;
		/* The last place is the table's end. */
		uint32_t next = (uint32_t)((uint64_t)(table->row_count - SAMPLE_ROWS) * (place + 1) /
					   (SAMPLE_PLACES - 1));
		first = next > first + SAMPLE_ROWS ? next : first + SAMPLE_ROWS;
	}
	return (uint64_t)fit.bad * 100 <= (uint64_t)fit.rows * 2;
}

static int choose_row_size(struct rs_table *table, const struct rs_source *source, uint32_t length,
			   struct rossym_error *err)
{
	static const uint32_t sizes[] = { RS_ROW_SIZE, RS_ROW_SIZE_PADDED, RS_ROW_SIZE_PACKED };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		if (length % sizes[i] != 0)
			continue;
		table->row_size = sizes[i];
		table->row_count = length / sizes[i];
		int r = fits(table, source, err);
		if (r != 0)
			return r < 0 ? -1 : 0;
	}
	if (length % RS_ROW_SIZE == 0 && length % RS_ROW_SIZE_PADDED != 0 && length % RS_ROW_SIZE_PACKED != 0) {
		/* Only one size is possible: it can be said which row is wrong. */
		table->row_size = RS_ROW_SIZE;
		table->row_count = length / RS_ROW_SIZE;
		struct rossym_error order;
		rs_table_fail_order(table, source, &order);
		if (order.code == ROSSYM_EDAMAGED)
			return rs_fail(err, order.code, order.offset, "%s", order.what);
	}
	return rs_fail(err, ROSSYM_EDAMAGED, table->offset + RS_HEADER_SYMBOLS_LENGTH,
		       "0x%" PRIx32 " bytes are no sorted rows of 16, 24 or 20 bytes", length);
}

int rs_table_open(struct rs_table *table, const struct rs_source *source, uint64_t offset, uint64_t size, bool wide,
		  struct rossym_error *err)
{
	uint64_t left = offset < source->size ? source->size - offset : 0;
	if (size < RS_HEADER_SIZE)
		return rs_fail(err, ROSSYM_EDAMAGED, offset, "the .rossym section of %" PRIu64 " bytes has no header", size);
	if (left < RS_HEADER_SIZE)
		return rs_fail(err, ROSSYM_EDAMAGED, offset, "the .rossym section lies past the end of the file");

	uint8_t buffer[RS_HEADER_SIZE];
	const uint8_t *p = rs_source_view(source, offset, sizeof buffer, buffer, err);
	if (!p)
		return -1;
	uint32_t symbols = rs_le32(p + RS_HEADER_SYMBOLS_OFFSET), symbols_length = rs_le32(p + RS_HEADER_SYMBOLS_LENGTH);
	uint32_t strings = rs_le32(p + RS_HEADER_STRINGS_OFFSET), strings_length = rs_le32(p + RS_HEADER_STRINGS_LENGTH);
	uint64_t end = (uint64_t)strings + strings_length;

	if (symbols < RS_HEADER_SIZE)
		return rs_fail(err, ROSSYM_EDAMAGED, offset + RS_HEADER_SYMBOLS_OFFSET,
			       "SymbolsOffset 0x%" PRIx32 " is inside the header", symbols);
	if ((uint64_t)symbols + symbols_length > strings)
		return rs_fail(err, ROSSYM_EDAMAGED, offset + RS_HEADER_STRINGS_OFFSET,
			       "StringsOffset 0x%" PRIx32 " is before the end of the rows, 0x%" PRIx64, strings,
			       (uint64_t)symbols + symbols_length);
	if (end > size)
		return rs_fail(err, ROSSYM_EDAMAGED, offset + RS_HEADER_STRINGS_LENGTH,
			       "the strings end at 0x%" PRIx64 ", past the section's 0x%" PRIx64 " bytes", end, size);
	if (end > left)
		return rs_fail(err, ROSSYM_EDAMAGED, source->size,
			       "the file ends inside the .rossym section, which needs 0x%" PRIx64 " bytes more", end - left);

	table->offset = offset;
	table->rows_offset = offset + symbols;
	rs_segments_open(&table->strings, offset + strings, strings_length);
	table->strings_length = strings_length;
	if (wide)
		return choose_row_size(table, source, symbols_length, err);
	if (symbols_length % RS_ROW_SIZE != 0)
		return rs_fail(err, ROSSYM_EDAMAGED, offset + RS_HEADER_SYMBOLS_LENGTH,
			       "SymbolsLength 0x%" PRIx32 " is not a multiple of 16", symbols_length);
	table->row_size = RS_ROW_SIZE;
	table->row_count = symbols_length / RS_ROW_SIZE;
	return 0;
}

void rs_table_clear(struct rs_table *table)
{
	rs_segments_clear(&table->strings);
}

const uint8_t *rs_table_bytes(const struct rs_table *table, const struct rs_source *source, uint32_t first, uint32_t count,
			      uint8_t *buffer, struct rossym_error *err)
{
	return rs_source_view(source, table->rows_offset + (uint64_t)first * table->row_size, (size_t)count * table->row_size,
			      buffer, err);
}

void rs_table_decode(const struct rs_table *table, const uint8_t *bytes, uint32_t count, struct rs_row *rows)
{
	for (uint32_t i = 0; i < count; i++)
		decode_row(&rows[i], bytes + (size_t)i * table->row_size, table->row_size);
}

int rs_table_read(const struct rs_table *table, const struct rs_source *source, uint32_t first, uint32_t count,
		  struct rs_row *rows, struct rossym_error *err)
{
	uint8_t buffer[RS_ROWS_MAX * RS_ROW_SIZE_PADDED];
	const uint8_t *bytes = rs_table_bytes(table, source, first, count, buffer, err);
	if (!bytes)
		return -1;
	rs_table_decode(table, bytes, count, rows);
	return 0;
}

const char *rs_table_strings(struct rs_table *table, const struct rs_source *source, struct rossym_error *err)
{
	return rs_segments_whole(&table->strings, source, err);
}

const char *rs_table_padded(struct rs_table *table, const struct rs_source *source, struct rossym_error *err)
{
	return rs_segments_padded(&table->strings, source, err);
}

uint64_t rs_table_strings_offset(const struct rs_table *table)
{
	return table->strings.whole.offset;
}

uint32_t rs_table_offset_of(const struct rs_table *table, const struct rs_source *source, const char *string)
{
	return rs_segments_offset(&table->strings, source, string);
}

const char *rs_table_string(const struct rs_table *table, const char *strings, uint32_t offset)
{
	if (offset == 0)
		return "";
	return offset < table->strings_length ? strings + offset : NULL;
}

const char *rs_view_string(const struct rs_view *view, uint32_t offset)
{
	if (view->strings || offset == 0 || offset >= view->table->strings_length)
		return rs_table_string(view->table, view->strings, offset);
	return rs_segments_string(&view->table->strings, view->source, offset);
}

int rs_table_fetch(struct rs_table *table, const struct rs_source *source, const struct rs_row *row,
		   struct rossym_error *err)
{
	const uint32_t offsets[] = { row->function, row->file };
	for (int i = 0; i < 2; i++)
		if (offsets[i] != 0 && offsets[i] < table->strings_length &&
		    rs_segments_fetch(&table->strings, source, offsets[i], err) < 0)
			return -1;
	return 0;
}

int rs_table_fail_order(const struct rs_table *table, const struct rs_source *source, struct rossym_error *err)
{
	struct rs_row rows[RS_ROWS_MAX];
	uint64_t last = 0;
	for (uint32_t first = 0; first < table->row_count;) {
		uint32_t count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, source, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rows[i].address < last)
				return rs_fail(err, ROSSYM_EDAMAGED,
					       table->rows_offset + (uint64_t)(first + i) * table->row_size,
					       "row %" PRIu32 ", address 0x%" PRIx64 ", stands after 0x%" PRIx64
					       ": the rows are not sorted", first + i, rows[i].address, last);
			last = rows[i].address;
		}
		first += count;
	}
	return rs_fail(err, ROSSYM_ECHANGED, table->rows_offset, "the file was changed while it was read");
}
