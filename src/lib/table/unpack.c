// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/table/unpack.h"
#include "core/lookup.h"
#include "core/parts.h"
#include "core/text.h"
#include "lib/base/ahead.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/array.h"
#include "lib/base/chunks.h"
#include "lib/base/error.h"
#include "lib/table/table-rows.h"

#include <string.h>

/* Unpacked strings, each with its NUL. */
struct texts {
	char *bytes;
	uint32_t length, room;
};

enum { LONGS, FRAMES, RUNS, FUNCTIONS, NAMES, LISTS };

struct table_unpacker {
	/* For rs_unpack(): a copy of the packed table, and the offset of the table in the file.  rs_unpack_some() reads
	   the table in the file, so these are NULL and 0. */
	uint8_t *bytes;
	size_t size;
	uint64_t place;
	struct rs_ahead ahead; /* for rs_unpack_some(): reads ahead in the file */
	struct rs_ahead_window *windows;
	struct rossym_core core; /* the packed table; `place` is to be added to offsets in its faults */
	struct rs_columns
		names; /* records of the table's block: each is one more name, such as an alias, of a function */
	/* Indexed by the offset of a packed string: the reference to the unpacked string, or 0 if it
	   is not unpacked yet */
	uint32_t *references;
	struct texts table, own; /* the unpacked strings: of the table, and of the block */
	uint8_t *rows;		 /* the rows of the new table */
	uint32_t row_count, row_room;
	struct rs_records lists[LISTS]; /* the chunks of the new block */
	uint32_t rooms[LISTS];		/* room in lists[].numbers, for lists that grow */
	struct rossym_error *err;
};

static void clear_unpacker(struct table_unpacker *u)
{
	rs_free(u->bytes);
	rs_free(u->windows);
	rs_free(u->references);
	rs_free(u->table.bytes);
	rs_free(u->own.bytes);
	rs_free(u->rows);
	for (int i = 0; i < LISTS; i++)
		rs_free(u->lists[i].numbers);
	rs_free(u);
}

/* Store the error for FAULT of u->core.  Returns -1. */
static int store_fault(const struct table_unpacker *u, struct rossym_fault *fault)
{
	fault->offset += u->place;
	return rs_fail_fault(u->err, fault);
}

/* Store the error for a table that was packed when the image was opened, and is not now.  Returns -1. */
static int fail_changed(const struct table_unpacker *u)
{
	return rs_fail(u->err, ROSSYM_ECHANGED, u->place + u->core.table.offset,
		       "the file was changed while it was read");
}

/* ------------------------------------------------------------------------------------------------ opening */

/* Open the copy of the packed table in u->bytes, and check all of it.  Returns 0 or -1. */
static int open_checked_table(struct table_unpacker *u)
{
	const struct rossym_reader reader = { .memory = u->bytes, .size = u->size };
	struct rossym_fault fault;
	if (rs_core_open_bare(&u->core, &reader, false, &fault) < 0)
		return store_fault(u, &fault);
	if (!rs_is_packed(&u->core.table))
		return fail_changed(u);
	const size_t size = rossym_core_scratch(&u->core);
	void *scratch = rs_alloc(1, size);
	if (!scratch)
		return rs_fail_memory(u->err);
	int r = rossym_core_check(&u->core, scratch, size, &fault);
	rs_free(scratch);
	if (r == 0)
		r = rs_parts_open(&u->core.parts, &u->names, &fault); /* the check did this, but did not store names */
	return r < 0 ? store_fault(u, &fault) : 0;
}

/* ------------------------------------------------------------------------------------------------ strings */

/* Unpack the string at OFFSET of the packed strings, and append it to TEXTS.  Returns 0 or -1. */
static int append_text(struct table_unpacker *u, struct texts *texts, uint32_t offset)
{
	enum { FIRST = 256 };
	const struct rs_strings *strings = &u->core.table.strings;
	struct rossym_fault fault;
	/* A phrase takes two bytes, and unpacks to at most RS_PHRASE_LENGTH bytes.  So packed strings that share no
	   bytes, such as those that we write, unpack to MOST bytes or less.  In a hostile table, strings that share
	   bytes could fill the memory. */
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
		return store_fault(u, &fault);
	texts->bytes[texts->length + length] = '\0';
	texts->length += length + 1;
	return 0;
}

/* Store in *REFERENCE the reference to the string at OFFSET of the packed strings.  If it has not been unpacked yet,
   unpack it into the table's strings or, if OWN, into those of the block.  References into the block count from the end
   of the table's strings, so unpack all strings of the table before the first one of the block.  Returns 0 or -1. */
static int unpack_string(struct table_unpacker *u, uint32_t offset, bool own, uint32_t *reference)
{
	struct texts *texts = own ? &u->own : &u->table;
	/* rs_unpack() has checked this, but rs_unpack_some() has not. */
	if (offset > u->core.table.strings.length)
		return rs_fail(u->err, ROSSYM_EDAMAGED, u->place + u->core.table.strings.offset,
			       "a packed string is outside the strings");
	uint32_t *known = &u->references[offset];
	if (offset > 0 && *known == 0) {
		const uint32_t at = (own ? u->table.length : 0) + texts->length;
		if (append_text(u, texts, offset) < 0)
			return -1;
		*known = at;
	}
	*reference = *known;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ rows */

/* Unpack all rows and their strings, and add a run for each row whose first frame is not that of the row before.
   Returns 0 or -1. */
static int unpack_rows(struct table_unpacker *u)
{
	const struct rs_table *table = &u->core.table;
	struct rs_records *runs = &u->lists[RUNS];
	struct rossym_fault fault;
	uint32_t last = RS_BLOCK_NONE, room = 0;
	*runs = (struct rs_records){ .tag = RS_TAG_MAP,
				     .columns = RS_RUN_COLUMNS,
				     .frame_columns = 1u << RS_RUN_FRAME };
	u->row_count = table->row_count;
	u->rows = rs_alloc(table->row_count, RS_ROW_SIZE);
	if (!u->rows)
		return rs_fail_memory(u->err);
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		uint8_t *row = u->rows + (size_t)first * RS_ROW_SIZE;
		count = rs_table_rows_from(table, first, table->row_count - first);
		if (rs_packed_rows(table, first, count, row, &fault) < 0)
			return store_fault(u, &fault);
		for (uint32_t i = first; i < first + count; i++, row += RS_ROW_SIZE) {
			struct rs_context context;
			uint32_t function, file;
			if (rs_packed_context(table, rs_le32(row + RS_ROW_FUNCTION), i, &context, &fault) < 0)
				return store_fault(u, &fault);
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

/* Unpack one column of the list of cut strings.  WHOLE: the whole strings, which belong to the block; otherwise the
   short ones, which belong to the table and so come first.  Returns 0 or -1. */
static int unpack_longs(struct table_unpacker *u, bool whole)
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
			return store_fault(u, &fault);
		if (unpack_string(u, rs_number(longs, record, column), whole,
				  &list->numbers[i * RS_LONG_COLUMNS + column]) < 0)
			return -1;
	}
	if (whole)
		rs_sort(list->numbers, list->count, RS_LONG_COLUMNS * sizeof *list->numbers, rs_by_one);
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
		if (rs_parts_packed_frame(parts, &u->core.table, i, &frame, &fault) < 0)
			return store_fault(u, &fault);
		if (unpack_string(u, frame.function, true, &numbers[RS_FRAME_FUNCTION]) < 0 ||
		    unpack_string(u, frame.file, true, &numbers[RS_FRAME_FILE]) < 0)
			return -1;
		numbers[RS_FRAME_LINE] = frame.line;
		numbers[RS_FRAME_NEXT] = frame.next;
	}
	return 0;
}

/* Unpack FUNCTIONS, which are the functions of the block or its other names of code, such as aliases, into LIST, which
   becomes a chunk with TAG.  Both have the same columns.  Returns 0 or -1. */
static int unpack_functions(struct table_unpacker *u, const struct rs_columns *functions, struct rs_records *list,
			    uint32_t tag)
{
	struct rossym_fault fault;
	if (rs_records_open(list, tag, RS_FUNCTION_COLUMNS, 0, functions->count, u->err) < 0)
		return -1;
	uint32_t *numbers = list->numbers;
	for (uint32_t i = 0; i < list->count; i++, numbers += RS_FUNCTION_COLUMNS) {
		struct rs_block_func function;
		if (rs_parts_func(functions, i, &function, &fault) < 0)
			return store_fault(u, &fault);
		numbers[RS_FUNCTION_RVA] = function.rva;
		numbers[RS_FUNCTION_LENGTH] = function.length;
		if (unpack_string(u, function.name, true, &numbers[RS_FUNCTION_NAME]) < 0)
			return -1;
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------ the whole */

static uint8_t *write_table(struct table_unpacker *u, size_t *ret_size)
{
	const uint64_t rows_size = (uint64_t)u->row_count * RS_ROW_SIZE;
	const uint64_t end = RS_HEADER_SIZE + rows_size + u->table.length;
	const uint32_t own = u->own.length > 1 ? u->own.length : 0;
	for (int i = 0; i < LISTS; i++)
		rs_records_fit(&u->lists[i]);
	const uint64_t block_size = rs_block_size(u->lists, LISTS, own);
	const uint64_t size = block_size > 0 ? rs_align(end, 4) + block_size : end;
	uint8_t *bytes = rs_table_alloc(size, u->err);
	if (!bytes)
		return NULL;
	rs_table_put_header(bytes, (uint32_t)rows_size, (uint32_t)(RS_HEADER_SIZE + rows_size), u->table.length);
	memcpy(bytes + RS_HEADER_SIZE, u->rows, (size_t)rows_size);
	memcpy(bytes + RS_HEADER_SIZE + rows_size, u->table.bytes, u->table.length);
	if (block_size > 0) {
		uint8_t *block = bytes + rs_align(end, 4), *strings = rs_block_put(block, u->lists, LISTS, own);
		if (strings)
			memcpy(strings, u->own.bytes, own);
		rs_block_seal(block, RS_BLOCK_MAGIC, (uint32_t)block_size, u->row_count, bytes, (size_t)end);
	}
	*ret_size = (size_t)size;
	return bytes;
}

/* Put the empty string at offset 0 of TEXTS.  Returns 0 or -1. */
static int put_empty_string(struct table_unpacker *u, struct texts *texts)
{
	if (rs_array_grow(&texts->bytes, &texts->room, 0, 1) < 0)
		return rs_fail_memory(u->err);
	texts->bytes[0] = '\0';
	texts->length = 1;
	return 0;
}

/* Begin both texts, and allocate u->references.  Returns 0 or -1. */
static int begin_unpacking(struct table_unpacker *u)
{
	u->references = rs_alloc((size_t)u->core.table.strings.length + 1, sizeof *u->references);
	if (!u->references)
		return rs_fail_memory(u->err);
	return put_empty_string(u, &u->table) < 0 || put_empty_string(u, &u->own) < 0 ? -1 : 0;
}

static int unpack_table(struct table_unpacker *u)
{
	if (begin_unpacking(u) < 0 || unpack_rows(u) < 0 || unpack_longs(u, false) < 0 || unpack_frames(u) < 0 ||
	    unpack_functions(u, &u->core.parts.functions, &u->lists[FUNCTIONS], RS_TAG_FUNCTIONS) < 0 ||
	    unpack_functions(u, &u->names, &u->lists[NAMES], RS_TAG_NAMES) < 0)
		return -1;
	return unpack_longs(u, true);
}

int rs_unpack(const struct rossym_core *packed, uint8_t **ret, size_t *ret_size, struct rossym_error *err)
{
	struct table_unpacker *u = rs_alloc(1, sizeof *u);
	uint8_t *bytes = NULL;
	if (!u)
		return rs_fail_memory(err);
	u->err = err;
	u->place = packed->table.offset;
	if (rs_table_copy(&packed->table, packed->section_end, &u->bytes, &u->size, err) == 0 &&
	    open_checked_table(u) == 0 && unpack_table(u) == 0)
		bytes = write_table(u, ret_size);
	clear_unpacker(u);
	*ret = bytes;
	return bytes ? 0 : -1;
}

/* ------------------------------------------------------------------------------------------------ some addresses */

/* UNUSUAL: unpacking for some addresses would take too long or give a wrong table, so the whole table is unpacked.
   This is so if an answer does not come from the nearest ROWS_MAX rows, if more than FUNCTIONS_MAX functions begin at
   one address, or if answers do not ascend. */
enum { UNUSUAL = 1, ROWS_MAX = 1024, FUNCTIONS_MAX = 256 };

/* Append a record to list LIST.  Returns 0 or -1. */
static int add_record(struct table_unpacker *u, int list, const uint32_t *numbers)
{
	struct rs_records *records = &u->lists[list];
	const size_t size = records->columns * sizeof *numbers;
	if (rs_array_grow(&records->numbers, &u->rooms[list], records->count, size) < 0)
		return rs_fail_memory(u->err);
	memcpy(records->numbers + (size_t)records->count++ * records->columns, numbers, size);
	return 0;
}

/* Append a row at RVA with ANSWER, whose strings are packed, unless the last row has that address already.  FRAME is
   the first frame of its chain, by its number in the packed table.  Returns 0, -1, or UNUSUAL. */
static int add_row(struct table_unpacker *u, uint32_t rva, const struct rossym_core_answer *answer, uint32_t frame)
{
	uint8_t *last = u->row_count > 0 ? u->rows + (size_t)(u->row_count - 1) * RS_ROW_SIZE : NULL;
	uint32_t function, file;
	if (last && rs_le32(last) >= rva)
		return rs_le32(last) == rva && answer->row_rva == rva ? 0 : UNUSUAL;
	if (unpack_string(u, (uint32_t)answer->function, false, &function) < 0 ||
	    unpack_string(u, (uint32_t)answer->file, false, &file) < 0)
		return -1;
	if (rs_array_grow(&u->rows, &u->row_room, u->row_count, RS_ROW_SIZE) < 0)
		return rs_fail_memory(u->err);
	uint8_t *row = u->rows + (size_t)u->row_count * RS_ROW_SIZE;
	rs_put32(row + RS_ROW_ADDRESS, rva);
	rs_put32(row + RS_ROW_FUNCTION, function);
	rs_put32(row + RS_ROW_FILE, file);
	rs_put32(row + RS_ROW_LINE, answer->line);
	const uint32_t run[RS_RUN_COLUMNS] = { u->row_count++, frame };
	return add_record(u, RUNS, run);
}

/* If the string at OFFSET of the packed strings was cut, add it to the list of cut strings, with the offset of the
   packed whole string, which unpack_some() unpacks later.  Returns 0 or -1. */
static int add_if_cut(struct table_unpacker *u, uint32_t offset)
{
	struct rossym_fault fault;
	uint32_t numbers[RS_LONG_COLUMNS];
	const int found = offset > 0 ? rs_parts_whole(&u->core.parts, offset, &numbers[RS_LONG_WHOLE], &fault) : 0;
	if (found <= 0)
		return found < 0 ? store_fault(u, &fault) : 0;
	numbers[RS_LONG_SHORT] = u->references[offset];
	for (uint32_t i = 0; i < u->lists[LONGS].count; i++)
		if (u->lists[LONGS].numbers[i * RS_LONG_COLUMNS + RS_LONG_SHORT] == numbers[RS_LONG_SHORT])
			return 0;
	return add_record(u, LONGS, numbers);
}

/* Add the row that answers for RVA.  If no row answers, add a terminator: a row at RVA whose function is UINT32_MAX
   until name_terminators() replaces that.  Returns 0, -1 or UNUSUAL. */
static int add_answer(struct table_unpacker *u, uint32_t rva)
{
	struct rossym_core_answer answer;
	struct rossym_fault fault;
	uint32_t frame;
	int found = rs_core_lookup(&u->core, rva, ROSSYM_LOOKUP_DATA, ROWS_MAX, &answer, &fault);
	if (found < 0)
		return store_fault(u, &fault);
	if (found == RS_LOOKUP_FAR)
		return UNUSUAL;
	if (found == 0) {
		const struct rossym_core_answer nothing = { .row_rva = UINT32_MAX };
		found = add_row(u, rva, &nothing, RS_BLOCK_NONE);
		if (found == 0)
			rs_put32(u->rows + (size_t)(u->row_count - 1) * RS_ROW_SIZE + RS_ROW_FUNCTION, UINT32_MAX);
		return found;
	}
	if (rs_packed_chain(&u->core.table, answer.row, &frame, &fault) < 0)
		return store_fault(u, &fault);
	found = add_row(u, answer.row_rva, &answer, frame);
	if (found != 0)
		return found;
	return add_if_cut(u, (uint32_t)answer.function) < 0 || add_if_cut(u, (uint32_t)answer.file) < 0 ? -1 : 0;
}

/* Set the function of all terminators.  Its name is not among the packed strings, so it is appended to the table's
   strings.  Returns 0 or -1. */
static int name_terminators(struct table_unpacker *u)
{
	uint32_t name = 0;
	for (uint32_t i = 0; i < u->row_count; i++) {
		uint8_t *function = u->rows + (size_t)i * RS_ROW_SIZE + RS_ROW_FUNCTION;
		if (rs_le32(function) != UINT32_MAX)
			continue;
		if (name == 0) {
			if (rs_array_reserve(&u->table.bytes, &u->table.room, u->table.length,
					     sizeof RS_TERMINATOR_NAME, 1) < 0)
				return rs_fail_memory(u->err);
			name = u->table.length;
			memcpy(u->table.bytes + name, RS_TERMINATOR_NAME, sizeof RS_TERMINATOR_NAME);
			u->table.length += (uint32_t)sizeof RS_TERMINATOR_NAME;
		}
		rs_put32(function, name);
	}
	return 0;
}

/* Add the chain that begins with frame *NUMBER of the packed table, and store the number of its first frame in the new
   block.  Returns 0 or -1. */
static int add_chain(struct table_unpacker *u, uint32_t *number)
{
	struct rs_outer chain[RS_CHAIN_MAX];
	struct rossym_fault fault;
	uint32_t count = 0, next = *number, before = u->core.parts.frames.count;
	for (; next != RS_BLOCK_NONE; before = next, next = chain[count++].next) {
		/* Each frame must lead to one with a lower number, so that the chain ends. */
		if (next >= before || count == RS_CHAIN_MAX)
			return rs_fail(u->err, ROSSYM_EDAMAGED, u->place + u->core.parts.place,
				       "a chain of frames leads to a frame that cannot be in it");
		if (rs_parts_packed_frame(&u->core.parts, &u->core.table, next, &chain[count], &fault) < 0)
			return store_fault(u, &fault);
	}
	while (count-- > 0) {
		uint32_t numbers[RS_FRAME_COLUMNS];
		if (unpack_string(u, chain[count].function, true, &numbers[RS_FRAME_FUNCTION]) < 0 ||
		    unpack_string(u, chain[count].file, true, &numbers[RS_FRAME_FILE]) < 0)
			return -1;
		numbers[RS_FRAME_LINE] = chain[count].line;
		numbers[RS_FRAME_NEXT] = next;
		next = u->lists[FRAMES].count;
		if (add_record(u, FRAMES, numbers) < 0)
			return -1;
	}
	*number = next;
	return 0;
}

/* Of the functions that begin at or below RVA, add those with the highest address.  Returns 0, -1 or UNUSUAL. */
static int add_functions_at(struct table_unpacker *u, uint32_t rva)
{
	const struct rs_columns *functions = &u->core.parts.functions;
	struct rs_records *list = &u->lists[FUNCTIONS];
	struct rs_block_func function = { 0, 0, 0 };
	struct rossym_fault fault;
	uint32_t end, first, begin = 0;
	if (rs_columns_up_to(functions, rva, &end, &fault) < 0)
		return store_fault(u, &fault);
	for (first = end; first > 0; first--) {
		if (rs_parts_func(functions, first - 1, &function, &fault) < 0)
			return store_fault(u, &fault);
		if (first < end && function.rva != begin)
			break;
		begin = function.rva;
	}
	const uint32_t *last = list->count > 0 ? list->numbers + (size_t)(list->count - 1) * RS_FUNCTION_COLUMNS : NULL;
	if (first == end || (last && last[RS_FUNCTION_RVA] == begin))
		return 0;
	if (end - first > FUNCTIONS_MAX || (last && last[RS_FUNCTION_RVA] > begin))
		return UNUSUAL;
	for (; first < end; first++) {
		uint32_t numbers[RS_FUNCTION_COLUMNS];
		if (rs_parts_func(functions, first, &function, &fault) < 0)
			return store_fault(u, &fault);
		numbers[RS_FUNCTION_RVA] = function.rva;
		numbers[RS_FUNCTION_LENGTH] = function.length;
		if (unpack_string(u, function.name, true, &numbers[RS_FUNCTION_NAME]) < 0 ||
		    add_record(u, FUNCTIONS, numbers) < 0)
			return -1;
	}
	return 0;
}

/* Open the table without copying and without checking it.  Returns 0 or -1. */
static int open_in_place(struct table_unpacker *u, const struct rossym_core *packed)
{
	enum { WINDOWS = 16 };
	struct rossym_fault fault;
	u->core = *packed;
	struct rs_table *table = &u->core.table;
	struct rs_parts *parts = &u->core.parts;
	if (!table->reader.memory) {
		u->windows = rs_alloc(WINDOWS, sizeof *u->windows);
		if (!u->windows)
			return rs_fail_memory(u->err);
		table->reader = rs_ahead_reader(&u->ahead, &packed->table.reader, u->windows, WINDOWS);
		table->strings.reader = table->reader;
	}
	const int found = rs_parts_find(parts, table, packed->section_end, &fault);
	if (found == 0)
		return fail_changed(u);
	if (found < 0 || rs_parts_open(parts, &u->names, &fault) < 0)
		return store_fault(u, &fault);
	const struct rs_records longs = { .tag = RS_TAG_LONG, .columns = RS_LONG_COLUMNS };
	const struct rs_records frames = { .tag = parts->inner ? RS_TAG_INNER : RS_TAG_OUTER,
					   .columns = RS_FRAME_COLUMNS,
					   .frame_columns = 1u << RS_FRAME_NEXT };
	const struct rs_records runs = { .tag = RS_TAG_MAP,
					 .columns = RS_RUN_COLUMNS,
					 .frame_columns = 1u << RS_RUN_FRAME };
	const struct rs_records functions = { .tag = RS_TAG_FUNCTIONS, .columns = RS_FUNCTION_COLUMNS };
	u->lists[LONGS] = longs;
	u->lists[FRAMES] = frames;
	u->lists[RUNS] = runs;
	u->lists[FUNCTIONS] = functions;
	return 0;
}

/* Collect the new table for RVAS.  Returns 0, -1 or UNUSUAL. */
static int unpack_some(struct table_unpacker *u, struct rs_rvas rvas)
{
	int r = begin_unpacking(u);
	for (uint32_t i = 0; i < rvas.count && r == 0; i++)
		r = add_answer(u, rvas.rvas[i]);
	/* This adds the last string of the table, so it comes before add_chain(), which adds strings of the block. */
	if (r == 0)
		r = name_terminators(u);
	for (uint32_t i = 0; i < u->row_count && r == 0; i++)
		r = add_chain(u, &u->lists[RUNS].numbers[i * RS_RUN_COLUMNS + RS_RUN_FRAME]);
	for (uint32_t i = 0; i < rvas.count && r == 0; i++)
		r = add_functions_at(u, rvas.rvas[i]);
	struct rs_records *longs = &u->lists[LONGS];
	for (uint32_t i = 0; i < longs->count && r == 0; i++) {
		uint32_t *whole = &longs->numbers[i * RS_LONG_COLUMNS + RS_LONG_WHOLE];
		r = unpack_string(u, *whole, true, whole);
	}
	if (r == 0)
		rs_sort(longs->numbers, longs->count, RS_LONG_COLUMNS * sizeof *longs->numbers, rs_by_one);
	return r;
}

int rs_unpack_some(const struct rossym_core *packed, struct rs_rvas rvas, uint8_t **ret, size_t *ret_size, bool *whole,
		   struct rossym_error *err)
{
	struct table_unpacker *u = rs_alloc(1, sizeof *u);
	*ret = NULL;
	*whole = false;
	if (!u)
		return rs_fail_memory(err);
	u->err = err;
	const int r = open_in_place(u, packed) < 0 ? -1 : unpack_some(u, rvas);
	if (r == 0)
		*ret = write_table(u, ret_size);
	clear_unpacker(u);
	*whole = r == UNUSUAL;
	if (r == UNUSUAL)
		return rs_unpack(packed, ret, ret_size, err);
	return *ret ? 0 : -1;
}
