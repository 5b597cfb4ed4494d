// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/unpack.h"
#include "core/parts.h"
#include "core/text.h"
#include "lib/base/alloc.h"
#include "lib/base/array.h"
#include "lib/base/chunks.h"
#include "lib/base/error.h"
#include "lib/base/source.h"

#include <stdlib.h>
#include <string.h>

/* Strings that are unpacked. */
struct texts {
	char *bytes;
	uint32_t length, room;
};

enum { LONGS, FRAMES, RUNS, FUNCTIONS, NAMES, LISTS };

struct table_unpacker {
	uint8_t *bytes; /* the packed table */
	size_t size;
	uint64_t place; /* where it is in the file, for messages */
	struct rossym_core core;
	struct rs_columns names;
	uint32_t *references; /* to each string, by its offset in the packed ones; 0: not unpacked yet */
	struct texts table, own;
	uint8_t *rows;
	struct rs_records lists[LISTS];
	struct rossym_error *err;
};

static void clear(struct table_unpacker *u)
{
	rs_free(u->bytes);
	rs_free(u->references);
	rs_free(u->table.bytes);
	rs_free(u->own.bytes);
	rs_free(u->rows);
	for (int i = 0; i < LISTS; i++)
		rs_free(u->lists[i].numbers);
	rs_free(u);
}

static int fail(const struct table_unpacker *u, struct rossym_fault *fault)
{
	fault->offset += u->place;
	return rs_fail_fault(u->err, fault);
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Read the whole table.  Returns 0 or -1. */
static int read_table(struct table_unpacker *u, const struct rossym_core *packed)
{
	const struct rs_table *table = &packed->table;
	struct rossym_fault fault;
	struct rs_parts parts;
	uint8_t last;
	int found = rs_parts_find(&parts, table, packed->section_end, &fault);
	if (found < 0)
		return rs_fail_fault(u->err, &fault);
	const uint64_t end = parts.offset + parts.size, size = end - table->offset;
	u->place = table->offset;
	/* The reader may have fewer bytes than it says. */
	if (!rs_reader_view(&table->reader, end - 1, 1, &last, u->err))
		return -1;
	u->bytes = size < SIZE_MAX ? rs_alloc(1, (size_t)size) : NULL;
	if (!u->bytes)
		return rs_fail_memory(u->err);
	const uint8_t *p = rs_reader_view(&table->reader, table->offset, (size_t)size, u->bytes, u->err);
	if (!p)
		return -1;
	if (p != u->bytes)
		memcpy(u->bytes, p, (size_t)size);
	u->size = (size_t)size;
	return 0;
}

/* Open and check what was read.  Returns 0 or -1. */
static int open_table(struct table_unpacker *u)
{
	const struct rossym_reader reader = { .memory = u->bytes, .size = u->size };
	struct rossym_fault fault;
	if (rs_core_open_bare(&u->core, &reader, false, &fault) < 0)
		return fail(u, &fault);
	/* The file may have been changed since it was opened. */
	if (!rs_is_packed(&u->core.table))
		return rs_fail(u->err, ROSSYM_ECHANGED, u->place, "the file was changed while it was read");
	const size_t size = rossym_core_scratch(&u->core);
	void *scratch = rs_alloc(1, size);
	if (!scratch)
		return rs_fail_memory(u->err);
	int r = rossym_core_check(&u->core, scratch, size, &fault);
	rs_free(scratch);
	if (r == 0)
		r = rs_parts_open(&u->core.parts, &u->names, &fault); /* once more, for the names */
	return r < 0 ? fail(u, &fault) : 0;
}

/* ------------------------------------------------------------------------------------------------ strings */

/* Append the string at OFFSET of the packed ones to TEXTS.  Returns 0 or -1. */
static int append(struct table_unpacker *u, struct texts *texts, uint32_t offset)
{
	enum { FIRST = 256 };
	const struct rs_strings *strings = &u->core.table.strings;
	struct rossym_fault fault;
	/* A byte is at most a half of a phrase, if no two strings share bytes, as those that we write do not. */
	const uint64_t most = (uint64_t)strings->length * (RS_PHRASE_LENGTH + 1) / 2 + FIRST;
	uint32_t length = 0;
	int r = 1;
	for (uint32_t size = FIRST; r > 0; size *= 2) {
		if (texts->length > most || size > 2 * most)
			return rs_fail(u->err, ROSSYM_EDAMAGED, u->place, "the packed strings share too many bytes");
		if (rs_array_reserve(&texts->bytes, &texts->room, texts->length, size, 1) < 0)
			return rs_fail_memory(u->err);
		r = rs_text(strings, offset, (uint8_t *)texts->bytes + texts->length, size - 1, &length, &fault);
	}
	if (r < 0)
		return fail(u, &fault);
	texts->bytes[texts->length + length] = '\0';
	texts->length += length + 1;
	return 0;
}

/* Store a reference to the string at OFFSET of the packed ones, in the table's strings or the block's OWN.  All of the
   table's must be there before the first of the block's.  Returns 0 or -1. */
static int take_string(struct table_unpacker *u, uint32_t offset, bool own, uint32_t *reference)
{
	struct texts *texts = own ? &u->own : &u->table;
	uint32_t *known = &u->references[offset];
	if (offset > 0 && *known == 0) {
		const uint32_t at = (own ? u->table.length : 0) + texts->length;
		if (append(u, texts, offset) < 0)
			return -1;
		*known = at;
	}
	*reference = *known;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Unpack the rows and their strings, and note in RUNS where their frames change.  Returns 0 or -1. */
static int take_rows(struct table_unpacker *u)
{
	const struct rs_table *table = &u->core.table;
	struct rs_records *runs = &u->lists[RUNS];
	struct rossym_fault fault;
	uint32_t last = RS_BLOCK_NONE, room = 0;
	*runs = (struct rs_records){ .tag = RS_TAG_MAP,
				     .columns = RS_RUN_COLUMNS,
				     .frame_columns = 1u << RS_RUN_FRAME };
	u->rows = rs_alloc(table->row_count, RS_ROW_SIZE);
	if (!u->rows)
		return rs_fail_memory(u->err);
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		uint8_t *row = u->rows + (size_t)first * RS_ROW_SIZE;
		count = rs_table_rows_from(table, first, table->row_count - first);
		if (rs_packed_rows(table, first, count, row, &fault) < 0)
			return fail(u, &fault);
		for (uint32_t i = first; i < first + count; i++, row += RS_ROW_SIZE) {
			struct rs_context context;
			uint32_t function, file;
			if (rs_packed_context(table, rs_le32(row + RS_ROW_FUNCTION), i, &context, &fault) < 0)
				return fail(u, &fault);
			if (take_string(u, context.function, false, &function) < 0 ||
			    take_string(u, context.file, false, &file) < 0)
				return -1;
			rs_put32(row + RS_ROW_FUNCTION, function);
			rs_put32(row + RS_ROW_FILE, file);
			if (context.frame == last)
				continue;
			last = context.frame;
			if (rs_array_grow(&runs->numbers, &room, runs->count, 2 * sizeof *runs->numbers) < 0)
				return rs_fail_memory(u->err);
			runs->numbers[runs->count * RS_RUN_COLUMNS + RS_RUN_ROW] = i;
			runs->numbers[runs->count * RS_RUN_COLUMNS + RS_RUN_FRAME] = last;
			runs->count++;
		}
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ the block */

static int by_first(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

/* Take the list of cut strings.  WHOLE: the whole ones; otherwise the short ones, which are in the table. */
static int take_longs(struct table_unpacker *u, bool whole)
{
	const struct rs_columns *longs = &u->core.parts.longs;
	struct rs_records *list = &u->lists[LONGS];
	struct rossym_fault fault;
	if (!whole && rs_records_open(list, RS_TAG_LONG, RS_LONG_COLUMNS, 0, longs->count, u->err) < 0)
		return -1;
	const unsigned column = whole ? RS_LONG_WHOLE : RS_LONG_SHORT;
	for (uint32_t i = 0; i < longs->count; i++) {
		uint8_t buffer[RS_RECORD_ROOM];
		const uint8_t *record = rs_record(longs, i, buffer, &fault);
		if (!record)
			return fail(u, &fault);
		if (take_string(u, rs_number(longs, record, column), whole,
				&list->numbers[i * RS_LONG_COLUMNS + column]) < 0)
			return -1;
	}
	if (whole && list->count > 0)
		qsort(list->numbers, list->count, RS_LONG_COLUMNS * sizeof *list->numbers, by_first);
	return 0;
}

static int take_frames(struct table_unpacker *u)
{
	const struct rs_parts *parts = &u->core.parts;
	struct rs_records *list = &u->lists[FRAMES];
	struct rossym_fault fault;
	if (rs_records_open(list, parts->inner ? RS_TAG_INNER : RS_TAG_OUTER, RS_FRAME_COLUMNS, 1u << RS_FRAME_NEXT,
			    parts->frames.count, u->err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_FRAME_COLUMNS) {
		struct rs_outer frame;
		if (rs_parts_packed_frame(parts, &u->core.table, i, &frame, &fault) < 0)
			return fail(u, &fault);
		if (take_string(u, frame.function, true, &numbers[RS_FRAME_FUNCTION]) < 0 ||
		    take_string(u, frame.file, true, &numbers[RS_FRAME_FILE]) < 0)
			return -1;
		numbers[RS_FRAME_LINE] = frame.line;
		numbers[RS_FRAME_NEXT] = frame.next;
	}
	return 0;
}

static int take_functions(struct table_unpacker *u, const struct rs_columns *functions, struct rs_records *list,
			  uint32_t tag)
{
	struct rossym_fault fault;
	if (rs_records_open(list, tag, RS_FUNCTION_COLUMNS, 0, functions->count, u->err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_FUNCTION_COLUMNS) {
		struct rs_block_func function;
		if (rs_parts_func(functions, i, &function, &fault) < 0)
			return fail(u, &fault);
		numbers[RS_FUNCTION_RVA] = function.rva;
		numbers[RS_FUNCTION_LENGTH] = function.length;
		if (take_string(u, function.name, true, &numbers[RS_FUNCTION_NAME]) < 0)
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ the whole */

/* Write the block, which has SIZE bytes, after the table, which ends at END, at the same BYTES. */
static void write_block(const struct table_unpacker *u, uint8_t *bytes, size_t end, uint32_t size)
{
	uint8_t *block = bytes + rs_align(end, 4), *to = block + RS_BLOCK_CHUNKS;
	memcpy(block, RS_BLOCK_MAGIC, RS_BLOCK_LENGTH);
	rs_put32(block + RS_BLOCK_LENGTH, size);
	rs_put32(block + RS_BLOCK_ROWS, u->core.table.row_count);
	rs_records_put(&u->lists[LONGS], &to);
	uint8_t *own = rs_chunk_put(&to, RS_TAG_STRINGS, u->own.length > 1 ? u->own.length : 0);
	if (own)
		memcpy(own, u->own.bytes, u->own.length);
	for (int i = LONGS + 1; i < LISTS; i++)
		rs_records_put(&u->lists[i], &to);
	rs_put32(block + RS_BLOCK_TABLE_CRC, rossym_debuglink_crc(0, bytes, end));
	rs_put32(block + RS_BLOCK_CRC, rossym_debuglink_crc(0, block + RS_BLOCK_CRC_FROM, size - RS_BLOCK_CRC_FROM));
}

static uint8_t *write_table(struct table_unpacker *u, size_t *ret_size)
{
	const uint64_t rows_size = (uint64_t)u->core.table.row_count * RS_ROW_SIZE;
	const uint64_t end = RS_HEADER_SIZE + rows_size + u->table.length;
	uint64_t block = rs_chunk_size(u->own.length > 1 ? u->own.length : 0), size = end;
	for (int i = 0; i < LISTS; i++) {
		rs_records_fit(&u->lists[i]);
		block += i > LONGS || u->lists[i].count > 0 ? rs_records_size(&u->lists[i]) : 0;
	}
	if (block > 0) {
		block += RS_BLOCK_CHUNKS + (u->lists[LONGS].count > 0 ? 0 : rs_records_size(&u->lists[LONGS]));
		size = rs_align(end, 4) + block;
	}
	uint8_t *bytes = size <= UINT32_MAX ? rs_alloc(1, (size_t)size) : NULL;
	if (!bytes) {
		rs_fail_memory(u->err);
		return NULL;
	}
	rs_put32(bytes + RS_HEADER_SYMBOLS_OFFSET, RS_HEADER_SIZE);
	rs_put32(bytes + RS_HEADER_SYMBOLS_LENGTH, (uint32_t)rows_size);
	rs_put32(bytes + RS_HEADER_STRINGS_OFFSET, (uint32_t)(RS_HEADER_SIZE + rows_size));
	rs_put32(bytes + RS_HEADER_STRINGS_LENGTH, u->table.length);
	memcpy(bytes + RS_HEADER_SIZE, u->rows, (size_t)rows_size);
	memcpy(bytes + RS_HEADER_SIZE + rows_size, u->table.bytes, u->table.length);
	if (block > 0)
		write_block(u, bytes, (size_t)end, (uint32_t)block);
	*ret_size = (size_t)size;
	return bytes;
}

/* Begin TEXTS with the empty string.  Returns 0 or -1. */
static int begin_texts(struct table_unpacker *u, struct texts *texts)
{
	if (rs_array_grow(&texts->bytes, &texts->room, 0, 1) < 0)
		return rs_fail_memory(u->err);
	texts->bytes[0] = '\0';
	texts->length = 1;
	return 0;
}

static int unpack(struct table_unpacker *u)
{
	u->references = rs_alloc((size_t)u->core.table.strings.length + 1, sizeof *u->references);
	if (!u->references)
		return rs_fail_memory(u->err);
	if (begin_texts(u, &u->table) < 0 || begin_texts(u, &u->own) < 0 || take_rows(u) < 0 ||
	    take_longs(u, false) < 0 || take_frames(u) < 0 ||
	    take_functions(u, &u->core.parts.functions, &u->lists[FUNCTIONS], RS_TAG_FUNCTIONS) < 0 ||
	    take_functions(u, &u->names, &u->lists[NAMES], RS_TAG_NAMES) < 0)
		return -1;
	return take_longs(u, true);
}

int rs_unpack(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err)
{
	struct table_unpacker *u = rs_alloc(1, sizeof *u);
	uint8_t *bytes = NULL;
	if (!u)
		return rs_fail_memory(err);
	u->err = err;
	if (read_table(u, packed) == 0 && open_table(u) == 0 && unpack(u) == 0)
		bytes = write_table(u, ret_size);
	clear(u);
	*ret = bytes;
	return bytes ? 0 : -1;
}
