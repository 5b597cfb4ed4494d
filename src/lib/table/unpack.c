// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/unpack.h"
#include "core/parts.h"
#include "core/text.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "lib/base/chunks.h"
#include "lib/base/error.h"
#include "lib/table/table-rows.h"

#include <string.h>

enum { LONGS, FRAMES, RUNS, FUNCTIONS, NAMES, LISTS };

struct table_unpacker {
	uint8_t *bytes; /* a copy of the packed table */
	size_t size;
	uint64_t place;		 /* offset of the table in the file */
	struct rossym_core core; /* the packed table; its faults have offsets in `bytes` */
	struct rs_columns names; /* other names of code in the block, such as aliases */
	/* by the offset of a packed string: the reference to the unpacked string (an offset in the strings of the
	   table, or beyond these in those of the block); 0: it is not unpacked yet */
	uint32_t *references;
	struct rs_texts table, own;	/* the unpacked strings: of the table, and of the block */
	uint8_t *rows;			/* the rows of the new table */
	struct rs_records lists[LISTS]; /* the chunks of the new block */
	struct rossym_error *err;
};

static void free_unpacker(struct table_unpacker *u)
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

/* Store the error for FAULT of u->core, with the offset in the file.  Returns -1. */
static int fail_with_fault(const struct table_unpacker *u, struct rossym_fault *fault)
{
	fault->offset += u->place;
	return rs_fail_fault(u->err, fault);
}

/* Open the copy of the packed table in u->bytes, and check all of it.  Returns 0 or -1. */
static int open_and_check_copy(struct table_unpacker *u)
{
	if (rs_table_open_checked(&u->core, &u->names, u->bytes, u->size, false, u->place, u->err) < 0)
		return -1;
	/* The table was packed when the image was opened.  If the copy is not, the file has changed. */
	return rs_is_packed(&u->core.table)
		       ? 0
		       : rs_fail(u->err, ROSSYM_ECHANGED, u->place, "the file was changed while it was read");
}

/* ------------------------------------------------------------------------------------------------ strings */

int rs_unpack_text(const struct rs_strings *strings, uint32_t offset, uint64_t place, struct rs_texts *texts,
		   struct rossym_error *err)
{
	enum { FIRST = 256 };
	struct rossym_fault fault;
	/* A phrase, which stands for a piece of text, takes two bytes and unpacks to at most RS_PHRASE_LENGTH bytes.
	   So packed strings that share no bytes, as in tables that this library writes, unpack to MOST bytes or less.
	   In a hostile table, strings that share bytes could fill the memory. */
	const uint64_t most = (uint64_t)strings->length * (RS_PHRASE_LENGTH + 1) / 2 + FIRST;
	uint32_t length = 0;
	int r = 1;
	for (uint32_t size = FIRST; r > 0; size *= 2) {
		if (texts->length > most || size > 2 * most)
			return rs_fail(err, ROSSYM_EDAMAGED, place, "the packed strings share too many bytes");
		if (rs_array_reserve(&texts->bytes, &texts->room, texts->length, size, 1) < 0)
			return rs_fail_memory(err);
		r = rs_text_copy(strings, offset, (uint8_t *)texts->bytes + texts->length, size - 1, &length, &fault);
	}
	if (r < 0) {
		fault.offset += place;
		return rs_fail_fault(err, &fault);
	}
	texts->bytes[texts->length + length] = '\0';
	texts->length += length + 1;
	return 0;
}

/* Store in *REFERENCE the reference to the string at OFFSET of the packed strings.  If it has not been unpacked yet,
   unpack it into the table's strings or, if OWN, into those of the block.  References into the block count from the end
   of the table's strings, so unpack all strings of the table before the first one of the block.  Returns 0 or -1. */
static int unpack_string(struct table_unpacker *u, uint32_t offset, bool own, uint32_t *reference)
{
	struct rs_texts *texts = own ? &u->own : &u->table;
	uint32_t *known = &u->references[offset];
	if (offset > 0 && *known == 0) {
		const uint32_t at = (own ? u->table.length : 0) + texts->length;
		if (rs_unpack_text(&u->core.table.strings, offset, u->place, texts, u->err) < 0)
			return -1;
		*known = at;
	}
	*reference = *known;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Unpack all rows and their strings, and add a run (a row and its first frame) for each row whose first frame is
   another than that of the row before.  Returns 0 or -1. */
static int unpack_rows(struct table_unpacker *u)
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
		count = table->row_count - first < RS_GROUP_ROWS ? table->row_count - first : RS_GROUP_ROWS;
		if (rs_packed_unpack_rows(table, first, count, row, &fault) < 0)
			return fail_with_fault(u, &fault);
		for (uint32_t i = first; i < first + count; i++, row += RS_ROW_SIZE) {
			struct rs_context context;
			uint32_t function, file;
			if (rs_packed_read_context(table, rs_le32(row + RS_ROW_FUNCTION), i, &context, &fault) < 0)
				return fail_with_fault(u, &fault);
			if (unpack_string(u, context.function, false, &function) < 0 ||
			    unpack_string(u, context.file, false, &file) < 0)
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

/* Replace the offsets of packed strings in COLUMN of LIST by references to the unpacked strings.  OWN is as for
   unpack_string().  Returns 0 or -1. */
static int unpack_column(struct table_unpacker *u, struct rs_records *list, unsigned column, bool own)
{
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t *number = &list->numbers[(size_t)i * list->columns + column];
		if (unpack_string(u, *number, own, number) < 0)
			return -1;
	}
	return 0;
}

static int unpack_frames(struct table_unpacker *u)
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
		if (rs_parts_read_frame(parts, &u->core.table, i, &frame, &fault) < 0)
			return fail_with_fault(u, &fault);
		if (unpack_string(u, frame.function, true, &numbers[RS_FRAME_FUNCTION]) < 0 ||
		    unpack_string(u, frame.file, true, &numbers[RS_FRAME_FILE]) < 0)
			return -1;
		numbers[RS_FRAME_LINE] = frame.line;
		numbers[RS_FRAME_NEXT] = frame.next;
	}
	return 0;
}

/* Unpack all lists of the block.  Cut strings are strings of the table, so they come first (see unpack_string()). */
static int unpack_block(struct table_unpacker *u)
{
	const struct rs_parts *parts = &u->core.parts;
	struct rs_records *longs = &u->lists[LONGS], *functions = &u->lists[FUNCTIONS], *names = &u->lists[NAMES];
	if (rs_records_copy(longs, &parts->longs, RS_TAG_LONG, RS_LONG_COLUMNS, u->err) < 0 ||
	    rs_records_copy(functions, &parts->functions, RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, u->err) < 0 ||
	    rs_records_copy(names, &u->names, RS_TAG_NAMES, RS_FUNCTION_COLUMNS, u->err) < 0 ||
	    unpack_column(u, longs, RS_LONG_SHORT, false) < 0 || unpack_frames(u) < 0 ||
	    unpack_column(u, functions, RS_FUNCTION_NAME, true) < 0 ||
	    unpack_column(u, names, RS_FUNCTION_NAME, true) < 0 || unpack_column(u, longs, RS_LONG_WHOLE, true) < 0)
		return -1;
	rs_sort(longs->numbers, longs->count, RS_LONG_COLUMNS * sizeof *longs->numbers, rs_compare_one_number);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ the whole table */

static uint8_t *write_table(struct table_unpacker *u, size_t *ret_size)
{
	const uint64_t rows_size = (uint64_t)u->core.table.row_count * RS_ROW_SIZE;
	const uint32_t own = u->own.length > 1 ? u->own.length : 0; /* 1: there is only the empty string */
	struct rs_table_places places;
	if (rs_table_make(&places, rows_size, u->table.length, u->lists, LISTS, own, u->err) < 0)
		return NULL;
	memcpy(places.rows, u->rows, (size_t)rows_size);
	memcpy(places.strings, u->table.bytes, u->table.length);
	if (places.own)
		memcpy(places.own, u->own.bytes, own);
	rs_table_write_block_header(&places, u->core.table.row_count, true);
	*ret_size = places.size;
	return places.bytes;
}

static int unpack_table(struct table_unpacker *u)
{
	u->references = rs_alloc((size_t)u->core.table.strings.length + 1, sizeof *u->references);
	/* The string at offset 0 is empty. */
	u->table = (struct rs_texts){ rs_alloc(1, 1), 1, 1 };
	u->own = (struct rs_texts){ rs_alloc(1, 1), 1, 1 };
	if (!u->references || !u->table.bytes || !u->own.bytes)
		return rs_fail_memory(u->err);
	return unpack_rows(u) < 0 ? -1 : unpack_block(u);
}

int rs_unpack_table(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err)
{
	struct table_unpacker *u = rs_alloc(1, sizeof *u);
	uint8_t *bytes = NULL;
	if (!u)
		return rs_fail_memory(err);
	u->err = err;
	u->place = packed->table.offset;
	if (rs_table_copy(&packed->table, packed->section_end, &u->bytes, &u->size, err) == 0 &&
	    open_and_check_copy(u) == 0 && unpack_table(u) == 0)
		bytes = write_table(u, ret_size);
	free_unpacker(u);
	*ret = bytes;
	return bytes ? 0 : -1;
}
