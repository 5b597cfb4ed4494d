// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/block.h"
#include "lib/alloc.h"
#include "lib/answer.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void rs_block_free(struct rs_block *block)
{
	if (!block)
		return;
	rs_free(block->bytes);
	rs_free(block->starts);
	rs_free(block);
}

/* While a block is judged. */
struct judging {
	struct rs_block *block;
	struct rs_table *table;
	const struct rs_source *source;
	struct rossym_error *err;
};

/* Judging a block ends in one of these. */
enum verdict { GOOD = 0, BAD = 1, FAILED = -1 };

/* What is wrong, and where in the block. */
static enum verdict RS_PRINTF(3, 4) bad(struct judging *j, uint64_t at, const char *format, ...)
{
	struct rs_block *block = j->block;
	va_list args;
	va_start(args, format);
	rs_fail_args(&block->why, ROSSYM_EDAMAGED, block->offset + at, format, args);
	va_end(args);
	return BAD;
}

/* ------------------------------------------------------------------------------------------------ chunks */

/* The records of a chunk, and how many columns they have; NULL for other chunks. */
static struct rs_columns *records_of(struct rs_block *block, uint32_t tag, unsigned *columns)
{
	switch (tag) {
	case RS_TAG_OUTER:
	case RS_TAG_INNER:
		*columns = RS_FRAME_COLUMNS;
		return &block->frames;
	case RS_TAG_MAP:
		*columns = RS_RUN_COLUMNS;
		return &block->runs;
	case RS_TAG_FUNCTIONS:
		*columns = RS_FUNCTION_COLUMNS;
		return &block->functions;
	case RS_TAG_LONG:
		*columns = RS_LONG_COLUMNS;
		return &block->longs;
	default:
		return NULL;
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* Every tag, known or not, may occur once. */
static enum verdict check_tags(struct judging *j, uint32_t *tags, uint32_t count)
{
	if (count > 0)
		qsort(tags, count, sizeof *tags, by_number);
	for (uint32_t i = 1; i < count; i++)
		if (tags[i] == tags[i - 1])
			return bad(j, RS_BLOCK_CHUNKS, "the extension block has two chunks of one kind, 0x%" PRIx32, tags[i]);
	return GOOD;
}

/* Read the widths of the COLUMNS columns, which come before the records of the chunk at AT. */
static enum verdict take_widths(struct judging *j, uint32_t at, uint32_t length, struct rs_columns *records, unsigned columns)
{
	static const uint8_t first_form[RS_COLUMNS_MAX] = { 32, 32, 32, 32 };
	const uint8_t *widths = j->block->bytes + at + RS_CHUNK_HEADER;
	if (j->block->first_form) {
		rs_columns_lay_out(records, first_form, columns);
		return GOOD;
	}
	if (length < RS_WIDTHS_SIZE)
		return bad(j, at + 4, "a chunk's length, 0x%" PRIx32 ", leaves no room for the widths of its columns", length);
	for (unsigned i = 0; i < RS_WIDTHS_SIZE; i++)
		if (widths[i] > (i < columns ? 32 : 0))
			return bad(j, at + RS_CHUNK_HEADER + i, "column %u of a chunk is %u bits wide", i + 1, widths[i]);
	if (rs_columns_lay_out(records, widths, columns) == 0)
		return bad(j, at + RS_CHUNK_HEADER, "the columns of a chunk are 0 bits wide");
	return GOOD;
}

static enum verdict take_records(struct judging *j, uint32_t at, uint32_t length, struct rs_columns *records, unsigned columns)
{
	uint32_t head = j->block->first_form ? 0 : RS_WIDTHS_SIZE;
	enum verdict verdict = take_widths(j, at, length, records, columns);
	if (verdict != GOOD)
		return verdict;
	if ((length - head) % records->size != 0)
		return bad(j, at + 4, "a chunk's records, 0x%" PRIx32 " bytes, are not a multiple of %u", length - head,
			   records->size);
	records->bytes = j->block->bytes + at + RS_CHUNK_HEADER + head;
	records->count = (length - head) / records->size;
	return GOOD;
}

static enum verdict take_chunk(struct judging *j, uint32_t at, uint32_t tag, uint32_t length)
{
	struct rs_block *block = j->block;
	unsigned columns;
	struct rs_columns *records = records_of(block, tag, &columns);
	if (tag == RS_TAG_STRINGS) {
		block->strings = (const char *)block->bytes + at + RS_CHUNK_HEADER;
		block->strings_size = length;
	}
	if (!records)
		return GOOD;
	if (records == &block->frames && records->bytes)	/* other chunks that occur twice are found by check_tags() */
		return bad(j, at, "the extension block has frames both outside and inside the rows' own");
	block->inner |= tag == RS_TAG_INNER;
	return take_records(j, at, length, records, columns);
}

static enum verdict find_chunks(struct judging *j)
{
	struct rs_block *block = j->block;
	uint32_t *tags = rs_alloc(block->size / RS_CHUNK_HEADER, sizeof *tags), count = 0;
	enum verdict verdict = GOOD;
	if (!tags)
		return rs_fail_memory(j->err), FAILED;
	for (uint32_t at = RS_BLOCK_CHUNKS; at < block->size && verdict == GOOD;) {
		uint32_t left = block->size - at;
		uint32_t length = left >= RS_CHUNK_HEADER ? rs_le32(block->bytes + at + 4) : 0;
		if (left < RS_CHUNK_HEADER || rs_align(length, 4) > left - RS_CHUNK_HEADER) {
			verdict = bad(j, at, "a chunk of the extension block ends past the end of the block");
			break;
		}
		tags[count] = rs_le32(block->bytes + at);
		verdict = take_chunk(j, at, tags[count++], length);
		at += RS_CHUNK_HEADER + (uint32_t)rs_align(length, 4);
	}
	if (verdict == GOOD)
		verdict = check_tags(j, tags, count);
	rs_free(tags);
	return verdict;
}

/* --------------------------------------------------------------------------------------------- what they say */

/* Where in the block a number of a record begins. */
static uint64_t place_of(const struct rs_block *block, const struct rs_columns *records, uint32_t number, unsigned column)
{
	return (uint64_t)(records->bytes - block->bytes) + (uint64_t)number * records->size + records->first[column] / 8;
}

static enum verdict check_reference(struct judging *j, const struct rs_columns *records, uint32_t number, unsigned column)
{
	const struct rs_block *block = j->block;
	uint32_t reference = rs_column(records, number, column);
	bool own = reference >= block->own_from;
	uint32_t size = own ? block->strings_size : j->table->strings_length;
	uint32_t offset = own ? reference - block->own_from : reference;
	if (offset != 0 && offset >= size)
		return bad(j, place_of(block, records, number, column), "a string at 0x%" PRIx32 " of 0x%" PRIx32 " bytes of %s strings",
			   offset, size, own ? "the block's" : "the table's");
	return GOOD;
}

static enum verdict check_frames(struct judging *j)
{
	const struct rs_columns *frames = &j->block->frames;
	uint16_t *depths = rs_alloc(frames->count, sizeof *depths);
	enum verdict verdict = GOOD;
	if (!depths)
		return rs_fail_memory(j->err), FAILED;
	for (uint32_t i = 0; i < frames->count && verdict == GOOD; i++) {
		uint32_t next = rs_column_frame(frames, i, RS_FRAME_NEXT);
		uint64_t at = place_of(j->block, frames, i, RS_FRAME_FUNCTION);
		if (next != RS_BLOCK_NONE && next >= i)
			verdict = bad(j, at, "frame %" PRIu32 " leads to frame %" PRIu32, i, next);
		else if ((depths[i] = (uint16_t)(next == RS_BLOCK_NONE ? 1 : depths[next] + 1)) > RS_CHAIN_MAX)
			verdict = bad(j, at, "frame %" PRIu32 " begins a chain of more than %d", i, RS_CHAIN_MAX);
		if (verdict == GOOD)
			verdict = check_reference(j, frames, i, RS_FRAME_FUNCTION);
		if (verdict == GOOD)
			verdict = check_reference(j, frames, i, RS_FRAME_FILE);
	}
	rs_free(depths);
	return verdict;
}

static enum verdict check_runs(struct judging *j)
{
	const struct rs_block *block = j->block;
	const struct rs_columns *runs = &block->runs;
	for (uint32_t i = 0; i < runs->count; i++) {
		uint64_t at = place_of(block, runs, i, RS_RUN_ROW);
		uint32_t row = rs_column(runs, i, RS_RUN_ROW), frame = rs_column_frame(runs, i, RS_RUN_FRAME);
		if (i > 0 && row <= rs_column(runs, i - 1, RS_RUN_ROW))
			return bad(j, at, "the runs of the extension block are not sorted: row %" PRIu32, row);
		if (row >= j->table->row_count)
			return bad(j, at, "a run begins with row %" PRIu32 " of %" PRIu32, row, j->table->row_count);
		if (frame != RS_BLOCK_NONE && frame >= block->frames.count)
			return bad(j, at, "a run has frame %" PRIu32 " of %" PRIu32, frame, block->frames.count);
	}
	return GOOD;
}

static enum verdict check_functions(struct judging *j)
{
	const struct rs_block *block = j->block;
	const struct rs_columns *functions = &block->functions;
	enum verdict verdict = GOOD;
	for (uint32_t i = 0; i < functions->count && verdict == GOOD; i++) {
		uint64_t at = place_of(block, functions, i, RS_FUNCTION_RVA);
		uint32_t rva = rs_column(functions, i, RS_FUNCTION_RVA);
		if (i > 0 && rva < rs_column(functions, i - 1, RS_FUNCTION_RVA))
			return bad(j, at, "the functions of the extension block are not sorted: 0x%" PRIx32, rva);
		if (rs_column(functions, i, RS_FUNCTION_LENGTH) > UINT32_MAX - rva)
			return bad(j, at, "the function at 0x%" PRIx32 " ends beyond 32 bits", rva);
		verdict = check_reference(j, functions, i, RS_FUNCTION_NAME);
	}
	return verdict;
}

static enum verdict check_long(struct judging *j)
{
	const struct rs_block *block = j->block;
	const struct rs_columns *longs = &block->longs;
	enum verdict verdict = GOOD;
	for (uint32_t i = 0; i < longs->count && verdict == GOOD; i++) {
		uint64_t at = place_of(block, longs, i, RS_LONG_SHORT);
		uint32_t offset = rs_column(longs, i, RS_LONG_SHORT);
		if (i > 0 && offset <= rs_column(longs, i - 1, RS_LONG_SHORT))
			return bad(j, at, "the cut strings of the extension block are not sorted: 0x%" PRIx32, offset);
		if (offset >= block->own_from)
			return bad(j, at, "a string of the extension block's own is called cut");
		verdict = check_reference(j, longs, i, RS_LONG_SHORT);
		if (verdict == GOOD)
			verdict = check_reference(j, longs, i, RS_LONG_WHOLE);
	}
	return verdict;
}

/* ------------------------------------------------------------------------------------------------- chains */

/* From runs of rows to runs of addresses: of rows that share an address, the one that speaks counts. */
struct starts {
	struct judging *j;
	struct rs_view view;
	uint32_t run;			/* the next run */
	uint32_t frame;			/* of the current row */
	bool grouped;			/* the current row shares its address with the one before */
	struct rs_answer answer;	/* of the group */
	uint32_t speaking;		/* the frame of the row that speaks */
};

static void add_start(struct starts *starts, uint64_t address)
{
	struct rs_block *block = starts->j->block;
	uint32_t last = block->start_count ? block->starts[block->start_count - 1].frame : RS_BLOCK_NONE;
	if (starts->speaking != last && address <= UINT32_MAX)
		block->starts[block->start_count++] = (struct rs_chain_start){ (uint32_t)address, starts->speaking };
}

static void add_to_group(struct starts *starts, const struct rs_row *row, uint32_t frame)
{
	unsigned rank = starts->answer.rank;
	rs_answer_add(&starts->answer, row, &starts->view);
	if (starts->answer.rank != rank)
		starts->speaking = frame;
}

static enum verdict find_starts(struct judging *j)
{
	struct rs_block *block = j->block;
	struct starts starts = { .j = j, .view = rs_table_view(j->table, block->table_strings), .frame = RS_BLOCK_NONE };
	struct rs_row rows[RS_ROWS_MAX], last = { .address = 0 };
	uint32_t last_frame = RS_BLOCK_NONE;
	block->starts = rs_alloc((size_t)block->runs.count * 2 + 1, sizeof *block->starts);
	if (!block->starts)
		return rs_fail_memory(j->err), FAILED;
	for (uint32_t first = 0, count; first < j->table->row_count; first += count) {
		count = j->table->row_count - first < RS_ROWS_MAX ? j->table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(j->table, j->source, first, count, rows, j->err) < 0)
			return FAILED;
		for (uint32_t i = 0; i < count; i++) {
			if (starts.run < block->runs.count &&
			    rs_column(&block->runs, starts.run, RS_RUN_ROW) == first + i)
				starts.frame = rs_column_frame(&block->runs, starts.run++, RS_RUN_FRAME);
			if (rows[i].address < last.address)
				return bad(j, RS_BLOCK_TABLE_CRC, "the table of the extension block is not sorted");
			if (first + i > 0 && rows[i].address == last.address) {
				if (!starts.grouped) {
					rs_answer_start(&starts.answer);
					add_to_group(&starts, &last, last_frame);
				}
				starts.grouped = true;
				add_to_group(&starts, &rows[i], starts.frame);
			} else {
				if (first + i > 0)
					add_start(&starts, last.address);
				starts.grouped = false;
				starts.speaking = starts.frame;
			}
			last = rows[i];
			last_frame = starts.frame;
		}
	}
	if (j->table->row_count > 0)
		add_start(&starts, last.address);
	return GOOD;
}

/* ----------------------------------------------------------------------------------------------- the whole */

/* The checksum of the table: what stands before its strings, read bit by bit, and these. */
static int table_crc(struct judging *j, uint32_t *ret)
{
	enum { WINDOW = 1 << 15 };
	const struct rs_table *table = j->table;
	uint64_t end = rs_table_strings_offset(table);
	uint32_t crc = 0;
	uint8_t *window = rs_alloc(end - table->offset < WINDOW ? (size_t)(end - table->offset) : WINDOW, 1);
	if (!window)
		return rs_fail_memory(j->err);
	for (uint64_t at = table->offset; at < end;) {
		size_t size = end - at < WINDOW ? (size_t)(end - at) : WINDOW;
		const uint8_t *p = rs_source_view(j->source, at, size, window, j->err);
		if (!p) {
			rs_free(window);
			return -1;
		}
		crc = rossym_debuglink_crc(crc, p, size);
		at += size;
	}
	rs_free(window);
	*ret = rossym_debuglink_crc(crc, j->block->table_strings, table->strings_length);
	return 0;
}

static enum verdict check_header(struct judging *j)
{
	struct rs_block *block = j->block;
	const uint8_t *p = block->bytes;
	uint32_t crc = 0;
	if (rossym_debuglink_crc(0, p + RS_BLOCK_CRC_FROM, block->size - RS_BLOCK_CRC_FROM) != rs_le32(p + RS_BLOCK_CRC))
		return bad(j, RS_BLOCK_CRC, "the extension block's checksum is wrong");
	if (rs_le32(p + RS_BLOCK_ROWS) != j->table->row_count)
		return bad(j, RS_BLOCK_ROWS, "the extension block belongs to another table, of %" PRIu32 " rows",
			   rs_le32(p + RS_BLOCK_ROWS));
	if (table_crc(j, &crc) < 0)
		return FAILED;
	if (crc != rs_le32(p + RS_BLOCK_TABLE_CRC))
		return bad(j, RS_BLOCK_TABLE_CRC, "the extension block belongs to another table");
	return GOOD;
}

static enum verdict check_strings(struct judging *j)
{
	const struct rs_block *block = j->block;
	if (block->strings_size > 0 && block->strings[block->strings_size - 1] != '\0')
		return bad(j, (uint64_t)((const uint8_t *)block->strings - block->bytes), "the extension block's strings do not end");
	return GOOD;
}

static enum verdict judge(struct judging *j)
{
	static enum verdict (*const checks[])(struct judging *) = {
		check_header, find_chunks, check_strings, check_frames, check_runs, check_functions, check_long, find_starts,
	};
	enum verdict verdict = GOOD;
	for (size_t i = 0; i < sizeof checks / sizeof *checks && verdict == GOOD; i++)
		verdict = checks[i](j);
	return verdict;
}

/* Read the block at block->offset, if there is one before END, whatever it is worth. */
static enum verdict read_bytes(struct judging *j, uint64_t end)
{
	struct rs_block *block = j->block;
	uint8_t buffer[RS_BLOCK_CHUNKS];
	if (end > j->source->size)
		end = j->source->size;
	uint64_t room = block->offset < end ? end - block->offset : 0;
	if (room < RS_BLOCK_LENGTH)
		return GOOD;
	size_t head = room < sizeof buffer ? (size_t)room : sizeof buffer;
	const uint8_t *p = rs_source_view(j->source, block->offset, head, buffer, j->err);
	if (!p)
		return FAILED;
	block->first_form = memcmp(p, RS_BLOCK_MAGIC_FIRST, RS_BLOCK_LENGTH) == 0;
	block->own_from = block->first_form ? RS_BLOCK_OWN_FIRST : j->table->strings_length;
	if (!block->first_form && memcmp(p, RS_BLOCK_MAGIC, RS_BLOCK_LENGTH) != 0)
		return GOOD;
	block->state = RS_BLOCK_SOUND;
	if (head < sizeof buffer)
		return bad(j, 0, "the extension block has no room for its header");
	block->size = rs_le32(p + RS_BLOCK_LENGTH);
	if (block->size < RS_BLOCK_CHUNKS || block->size > room)
		return bad(j, RS_BLOCK_LENGTH, "the extension block's length, 0x%" PRIx32 ", is not between 24 and 0x%" PRIx64,
			   block->size, room);
	/* A size_t of 32 bits cannot hold the longest length and what comes behind it. */
	if (block->size < UINT32_MAX - RS_SEGMENTS_SLACK)
		block->bytes = rs_alloc((size_t)block->size + RS_SEGMENTS_SLACK, 1);
	if (!block->bytes)
		return rs_fail_memory(j->err), FAILED;
	p = rs_source_view(j->source, block->offset, block->size, block->bytes, j->err);
	if (!p)
		return FAILED;
	if (p != block->bytes)
		memcpy(block->bytes, p, block->size);
	return GOOD;
}

/* Nothing of a damaged block can be had. */
static void empty(struct rs_block *block)
{
	static const struct rs_columns none = { .bytes = NULL };
	block->state = RS_BLOCK_DAMAGED;
	block->frames = block->runs = block->functions = block->longs = none;
	block->strings_size = 0;
	block->start_count = 0;
	rs_free(block->bytes);
	rs_free(block->starts);
	block->bytes = NULL;
	block->starts = NULL;
}

uint64_t rs_block_offset(const struct rs_table *table)
{
	uint64_t strings_end = rs_table_strings_offset(table) + table->strings_length;
	return table->offset + rs_align(strings_end - table->offset, 4);
}

struct rs_block *rs_block_read(struct rs_table *table, const struct rs_source *source, uint64_t end,
			       struct rossym_error *err)
{
	struct rs_block *block = rs_alloc(1, sizeof *block);
	struct judging j = { block, table, source, err };
	if (!block) {
		rs_fail_memory(err);
		return NULL;
	}
	block->offset = rs_block_offset(table);
	enum verdict verdict = read_bytes(&j, end);
	if (verdict == GOOD && block->state == RS_BLOCK_SOUND) {
		block->table_strings = rs_table_padded(table, source, err);
		block->table_strings_size = table->strings_length;
		verdict = block->table_strings ? judge(&j) : FAILED;
	}
	if (verdict == BAD)
		empty(block);
	if (verdict == FAILED) {
		rs_block_free(block);
		return NULL;
	}
	return block;
}

/* ------------------------------------------------------------------------------------------------- answers */

const char *rs_block_string(const struct rs_block *block, uint32_t reference)
{
	bool own = reference >= block->own_from;
	uint32_t offset = own ? reference - block->own_from : reference;
	if (offset == 0)
		return "";
	return (own ? block->strings : block->table_strings) + offset;
}

uint32_t rs_block_chain_at(const struct rs_block *block, uint32_t rva)
{
	uint32_t low = 0, high = block->start_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (block->starts[middle].rva <= rva)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? block->starts[low - 1].frame : RS_BLOCK_NONE;
}

uint32_t rs_block_chain_of(const struct rs_block *block, uint32_t row)
{
	uint32_t run = rs_columns_up_to(&block->runs, row);
	return run ? rs_column_frame(&block->runs, run - 1, RS_RUN_FRAME) : RS_BLOCK_NONE;
}

struct rs_block_frame rs_block_frame(const struct rs_block *block, uint32_t number)
{
	const struct rs_columns *frames = &block->frames;
	return (struct rs_block_frame){
		.function = rs_block_string(block, rs_column(frames, number, RS_FRAME_FUNCTION)),
		.file = rs_block_string(block, rs_column(frames, number, RS_FRAME_FILE)),
		.line = rs_column(frames, number, RS_FRAME_LINE),
		.next = rs_column_frame(frames, number, RS_FRAME_NEXT),
	};
}

struct rs_block_func rs_block_func(const struct rs_block *block, uint32_t number)
{
	const struct rs_columns *functions = &block->functions;
	return (struct rs_block_func){ rs_column(functions, number, RS_FUNCTION_RVA),
				       rs_column(functions, number, RS_FUNCTION_LENGTH),
				       rs_column(functions, number, RS_FUNCTION_NAME) };
}

uint32_t rs_block_funcs_up_to(const struct rs_block *block, uint64_t rva)
{
	return rs_columns_up_to(&block->functions, rva);
}

const char *rs_block_whole(const struct rs_block *block, uint32_t offset)
{
	uint32_t at = rs_columns_up_to(&block->longs, offset);
	if (at == 0 || rs_column(&block->longs, at - 1, RS_LONG_SHORT) != offset)
		return NULL;
	const char *whole = rs_block_string(block, rs_column(&block->longs, at - 1, RS_LONG_WHOLE));
	return *whole ? whole : NULL;	/* nothing is cut from an empty string */
}
