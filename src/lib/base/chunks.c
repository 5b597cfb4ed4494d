// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * chunks.c - writes the chunks of an extension block (chunks.h); their records are packed: all numbers of a column get
 * as many bits as the largest of them needs (core/columns.h)
 */
#include "config.h"
#include "lib/base/chunks.h"
#include "core/core.h"
#include "core/crc.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

int rs_records_open(struct rs_records *records, uint32_t tag, unsigned columns, unsigned frame_columns, uint32_t count,
		    struct rossym_error *err)
{
	*records = (struct rs_records){
		.tag = tag, .columns = columns, .frame_columns = frame_columns, .count = count
	};
	records->numbers = rs_alloc(count, columns * sizeof *records->numbers);
	return records->numbers ? 0 : rs_fail_memory(err);
}

int rs_records_copy(struct rs_records *records, const struct rs_columns *from, uint32_t tag, unsigned columns,
		    struct rossym_error *err)
{
	if (rs_records_open(records, tag, columns, 0, from->count, err) < 0)
		return -1;
	uint32_t *number = records->numbers;
	for (uint32_t i = 0; i < from->count; i++) {
		struct rossym_fault fault;
		uint8_t buffer[RS_RECORD_ROOM];
		const uint8_t *record = rs_read_record(from, i, buffer, &fault);
		if (!record)
			return rs_fail_fault(err, &fault);
		for (unsigned column = 0; column < columns; column++)
			*number++ = rs_read_column(from, record, column);
	}
	return 0;
}

void rs_records_choose_widths(struct rs_records *records)
{
	const uint32_t *numbers = records->numbers;
	const unsigned columns = records->columns;
	uint64_t most[RS_COLUMNS_MAX] = { 0 };
	uint8_t widths[RS_COLUMNS_MAX] = { 0 };
	for (size_t i = 0; i < (size_t)records->count * columns; i++) {
		unsigned column = (unsigned)(i % columns);
		/* All bits set mean "no frame", so the width must fit the largest frame number plus 1. */
		bool frame = records->frame_columns >> column & 1;
		uint64_t number = !frame ? numbers[i] : numbers[i] == RS_BLOCK_NONE ? 1 : (uint64_t)numbers[i] + 1;
		if (number > most[column])
			most[column] = number;
	}
	for (unsigned i = 0; i < columns; i++)
		widths[i] = rs_count_bits(most[i]);
	if (widths[0] == 0)
		widths[0] = 1; /* so that the size of a record is not 0 */
	rs_columns_lay_out(&records->packed, widths);
}

void rs_records_write(const struct rs_records *records, uint8_t *to)
{
	const struct rs_columns *packed = &records->packed;
	const uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < records->count; i++, to += packed->size)
		for (unsigned column = 0; column < records->columns; column++) {
			uint64_t value = *numbers++ & ((UINT64_C(1) << packed->width[column]) - 1);
			uint8_t *p = to + packed->first[column] / 8;
			for (value <<= packed->first[column] % 8; value; value >>= 8)
				*p++ |= (uint8_t)value;
		}
}

/* ------------------------------------------------------------------------------------------------ chunks */

uint64_t rs_chunk_size(uint64_t payload)
{
	return payload ? RS_CHUNK_HEADER + rs_align(payload, 4) : 0;
}

uint8_t *rs_chunk_write_header(uint8_t **to, uint32_t tag, uint32_t payload)
{
	if (payload == 0)
		return NULL;
	uint8_t *chunk = *to;
	rs_put32(chunk, tag);
	rs_put32(chunk + 4, payload);
	*to += rs_chunk_size(payload);
	return chunk + RS_CHUNK_HEADER;
}

static uint64_t count_payload_bytes(const struct rs_records *records)
{
	bool is_written = records->count || records->tag == RS_TAG_LONG;
	return is_written ? RS_WIDTHS_SIZE + (uint64_t)records->count * records->packed.size : 0;
}

uint64_t rs_records_chunk_size(const struct rs_records *records)
{
	return rs_chunk_size(count_payload_bytes(records));
}

void rs_records_write_chunk(const struct rs_records *records, uint8_t **to)
{
	uint8_t *p = rs_chunk_write_header(to, records->tag, (uint32_t)count_payload_bytes(records));
	if (!p)
		return;
	memcpy(p, records->packed.width, RS_WIDTHS_SIZE);
	rs_records_write(records, p + RS_WIDTHS_SIZE);
}

/* ------------------------------------------------------------------------------------- extension blocks, tables */

void rs_block_write_header(uint8_t *block, const char *magic, uint32_t size, uint32_t rows, const uint8_t *table,
			   size_t table_size)
{
	struct rs_crc_tables tables;
	memcpy(block, magic, RS_BLOCK_LENGTH);
	rs_put32(block + RS_BLOCK_LENGTH, size);
	rs_put32(block + RS_BLOCK_ROWS, rows);
	if (!table)
		return;
	rs_crc_fill_tables(&tables);
	rs_put32(block + RS_BLOCK_TABLE_CRC, rs_crc_update(&tables, 0, table, table_size));
	rs_put32(block + RS_BLOCK_CRC, rs_crc_update(&tables, 0, block + RS_BLOCK_CRC_FROM, size - RS_BLOCK_CRC_FROM));
}

uint8_t *rs_table_alloc(uint64_t size, struct rossym_error *err)
{
	if (size > UINT32_MAX || size > SIZE_MAX) {
		rs_fail(err, ROSSYM_EREFUSED, 0, "the table has 4 GiB or more");
		return NULL;
	}
	uint8_t *bytes = rs_alloc(1, (size_t)size);
	if (!bytes)
		rs_fail_memory(err);
	return bytes;
}

int rs_table_make(struct rs_table_places *places, uint64_t rows_size, uint32_t strings_size, struct rs_records *lists,
		  unsigned count, uint32_t own_size, struct rossym_error *err)
{
	const uint64_t empty = RS_CHUNK_HEADER + RS_WIDTHS_SIZE; /* chunk LONG without records: needs no block */
	const uint64_t end = RS_HEADER_SIZE + rows_size + strings_size;
	uint64_t chunks = rs_chunk_size(own_size);
	for (unsigned i = 0; i < count; i++) {
		rs_records_choose_widths(&lists[i]);
		chunks += rs_records_chunk_size(&lists[i]);
	}
	const uint64_t block_size = chunks > empty ? RS_BLOCK_CHUNKS + chunks : 0;
	const uint64_t size = block_size > 0 ? rs_align(end, 4) + block_size : end;
	uint8_t *bytes = rs_table_alloc(size, err);
	if (!bytes)
		return -1;
	*places = (struct rs_table_places){ .bytes = bytes,
					    .size = (size_t)size,
					    .rows = bytes + RS_HEADER_SIZE,
					    .strings = bytes + RS_HEADER_SIZE + (size_t)rows_size,
					    .end = (size_t)end,
					    .block_size = (uint32_t)block_size };
	rs_table_put_header(bytes, (uint32_t)rows_size, (uint32_t)(RS_HEADER_SIZE + rows_size), strings_size);
	if (block_size == 0)
		return 0;
	uint8_t *to = bytes + (size_t)rs_align(end, 4) + RS_BLOCK_CHUNKS;
	rs_records_write_chunk(&lists[0], &to);
	places->own = rs_chunk_write_header(&to, RS_TAG_STRINGS, own_size);
	for (unsigned i = 1; i < count; i++)
		rs_records_write_chunk(&lists[i], &to);
	return 0;
}

void rs_table_write_block_header(const struct rs_table_places *places, uint32_t rows, bool sealed)
{
	if (places->block_size > 0)
		rs_block_write_header(places->bytes + (places->size - places->block_size), RS_BLOCK_MAGIC,
				      places->block_size, rows, sealed ? places->bytes : NULL, places->end);
}

void rs_table_put_header(uint8_t *bytes, uint32_t rows_size, uint32_t strings, uint32_t strings_size)
{
	rs_put32(bytes + RS_HEADER_SYMBOLS_OFFSET, RS_HEADER_SIZE);
	rs_put32(bytes + RS_HEADER_SYMBOLS_LENGTH, rows_size);
	rs_put32(bytes + RS_HEADER_STRINGS_OFFSET, strings);
	rs_put32(bytes + RS_HEADER_STRINGS_LENGTH, strings_size);
}

int rs_table_open_checked(struct rossym_core *core, struct rs_columns *names, const void *bytes, size_t size, bool wide,
			  uint64_t place, struct rossym_error *err)
{
	const struct rossym_reader reader = { .memory = bytes, .size = size };
	struct rossym_fault fault;
	int r = rs_core_open_bare_table(core, &reader, wide, &fault);
	if (r == 0) {
		const size_t scratch_size = rossym_core_scratch(core);
		void *scratch = rs_alloc(1, scratch_size);
		if (!scratch)
			return rs_fail_memory(err);
		r = rossym_core_check(core, scratch, scratch_size, &fault);
		rs_free(scratch);
	}
	/* rossym_core_check() has opened the block, but has not stored where the other names of code are. */
	if (r == 0 && core->checked)
		r = rs_parts_open(&core->parts, names, &fault);
	if (r == 0)
		return 0;
	fault.offset += place;
	return rs_fail_fault(err, &fault);
}
