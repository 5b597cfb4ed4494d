// SPDX-License-Identifier: GPL-2.0-or-later
/* verify.c - check a whole block: its checksums, whether it belongs to its table, and every number in it */
#include "core/crc.h"
#include "core/parts.h"
#include "core/text.h"

/* The caller's memory: the tables of the CRC, then a window.  First the window is the buffer through which checksums
   read; after that the other checks keep their arrays in it. */
struct scratch {
	struct rs_crc_tables crc;
	uint8_t window[];
};

struct verifying {
	struct rs_parts *parts;
	const struct rs_table *table;
	struct scratch *scratch;
	size_t window_size;
	struct rossym_fault *fault;
};

/* Store a fault at AT, an offset in the block.  Returns -1. */
static int fail_in_block(const struct verifying *v, enum rossym_fault_code code, uint64_t at, uint64_t first,
			 uint64_t second)
{
	return rs_fault_store(v->fault, code, v->parts->place + at, first, second, 0);
}

/* Returns 0 if the window has room for COUNT numbers of SIZE bytes, else -1.  Room is missing only if a read failed in
   rs_parts_scratch_size(), which computes the size of the window, or if the file has changed since. */
static int check_window_room(const struct verifying *v, uint64_t count, size_t size)
{
	if (count <= v->window_size / size)
		return 0;
	return rs_fault_store(v->fault, ROSSYM_FAULT_SCRATCH, 0, sizeof(struct scratch) + count * size, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ checksums */

/* Add LENGTH bytes at OFFSET of READER to *CRC. */
static int update_crc(const struct verifying *v, const struct rossym_reader *reader, uint64_t offset, uint64_t length,
		      uint32_t *crc)
{
	while (length > 0) {
		size_t size = length < v->window_size ? (size_t)length : v->window_size;
		const uint8_t *p = rs_view(reader, offset, size, v->scratch->window, v->fault);
		if (!p)
			return -1;
		*crc = rs_crc_update(&v->scratch->crc, *crc, p, size);
		offset += size;
		length -= size;
	}
	return 0;
}

/* Check the block's checksum, the number of rows and the table's checksum: the block must be for this table. */
static int check_block_header(const struct verifying *v)
{
	const struct rs_parts *parts = v->parts;
	const struct rs_table *table = v->table;
	const struct rs_strings *strings = &table->strings;
	uint8_t buffer[RS_BLOCK_CHUNKS];
	const uint8_t *p = rs_view(&parts->reader, parts->offset, sizeof buffer, buffer, v->fault);
	if (!p)
		return -1;
	const uint32_t crc = rs_le32(p + RS_BLOCK_CRC), rows = rs_le32(p + RS_BLOCK_ROWS);
	const uint32_t table_crc = rs_le32(p + RS_BLOCK_TABLE_CRC);
	uint32_t sum = 0;
	if (update_crc(v, &parts->reader, parts->offset + RS_BLOCK_CRC_FROM, parts->size - RS_BLOCK_CRC_FROM, &sum) < 0)
		return -1;
	if (sum != crc)
		return fail_in_block(v, ROSSYM_FAULT_BLOCK_CRC, RS_BLOCK_CRC, 0, 0);
	if (rows != table->row_count)
		return fail_in_block(v, ROSSYM_FAULT_BLOCK_ROWS, RS_BLOCK_ROWS, rows, 0);
	sum = 0;
	if (update_crc(v, &table->reader, table->offset, table->strings_offset - table->offset, &sum) < 0 ||
	    update_crc(v, &strings->reader, strings->offset, strings->length, &sum) < 0)
		return -1;
	if (sum != table_crc)
		return fail_in_block(v, ROSSYM_FAULT_BLOCK_TABLE, RS_BLOCK_TABLE_CRC, 0, 0);
	return 0;
}

/* ------------------------------------------------------------------------------------------------ chunks */

/* Sort COUNT NUMBERS.  The core has no C library, so no qsort().  Shell's method needs neither memory nor recursion,
   and is fast for every order of the input. */
static void sort_numbers(uint32_t *numbers, size_t count)
{
	size_t gap = 1;
	while (gap < count / 3)
		gap = gap * 3 + 1;
	for (; gap > 0; gap /= 3)
		for (size_t i = gap; i < count; i++) {
			uint32_t number = numbers[i];
			size_t at = i;
			for (; at >= gap && numbers[at - gap] > number; at -= gap)
				numbers[at] = numbers[at - gap];
			numbers[at] = number;
		}
}

/* Check that no tag, known or not, occurs twice. */
static int check_tags(const struct verifying *v)
{
	const struct rs_parts *parts = v->parts;
	uint32_t *tags = (uint32_t *)(void *)v->scratch->window;
	size_t count = 0;
	struct rs_chunk chunk;
	for (uint32_t at = RS_BLOCK_CHUNKS; at < parts->size; at = chunk.next) {
		if (rs_parts_read_chunk_header(parts, at, &chunk, v->fault) < 0 ||
		    check_window_room(v, count + 1, sizeof *tags) < 0)
			return -1;
		tags[count++] = chunk.tag;
	}
	sort_numbers(tags, count);
	for (size_t i = 1; i < count; i++)
		if (tags[i] == tags[i - 1])
			return fail_in_block(v, ROSSYM_FAULT_CHUNK_TWICE, RS_BLOCK_CHUNKS, tags[i], 0);
	return 0;
}

/* Check that the block's strings end with a NUL.  So no string runs past the end of these strings. */
static int check_strings(const struct verifying *v)
{
	const struct rs_strings *strings = &v->parts->strings;
	uint8_t buffer[1];
	if (strings->length == 0)
		return 0;
	const uint8_t *last = rs_view(&strings->reader, strings->offset + strings->length - 1, 1, buffer, v->fault);
	if (!last)
		return -1;
	return *last == '\0' ? 0 : fail_in_block(v, ROSSYM_FAULT_STRINGS_END, strings->offset - v->parts->offset, 0, 0);
}

/* ------------------------------------------------------------------------------------------------ records */

struct record {
	const struct rs_columns *records;
	uint32_t number;
	const uint8_t *bytes;
	uint8_t buffer[RS_RECORD_ROOM];
};

/* Read record NUMBER, which must exist, into *RECORD.  False on a fault. */
static bool read_record_to_check(const struct verifying *v, const struct rs_columns *records, uint32_t number,
				 struct record *record)
{
	record->records = records;
	record->number = number;
	record->bytes = rs_read_record(records, number, record->buffer, v->fault);
	return record->bytes != NULL;
}

static uint32_t read_number_in_column(const struct record *record, unsigned column)
{
	return rs_read_column(record->records, record->bytes, column);
}

static uint32_t read_frame_in_column(const struct record *record, unsigned column)
{
	return rs_read_frame_column(record->records, record->bytes, column);
}

/* Returns the offset in the block at which a number of RECORD begins. */
static uint64_t find_number_place(const struct verifying *v, const struct record *record, unsigned column)
{
	const struct rs_columns *records = record->records;
	return records->offset - v->parts->offset + (uint64_t)record->number * records->size +
	       records->first[column] / 8;
}

/* Check that a packed string begins at OFFSET: check_texts_and_mark_starts() has set a bit in the window for each
   offset at which one begins.  Accepts OFFSET 0, and every offset of a table that is not packed. */
static int check_text_start(const struct verifying *v, uint32_t offset)
{
	const struct rs_strings *strings = &v->table->strings;
	if (!rs_is_packed_flag_set(v->parts->packed) || offset == 0 || v->scratch->window[offset / 8] >> offset % 8 & 1)
		return 0;
	return rs_fault_store(v->fault, ROSSYM_FAULT_TEXT, strings->offset + offset, offset, 0, 0);
}

/* Check that the reference in COLUMN of RECORD refers to a string that exists. */
static int check_reference(const struct verifying *v, const struct record *record, unsigned column)
{
	const struct rs_parts *parts = v->parts;
	uint32_t reference = read_number_in_column(record, column);
	bool own = !rs_is_packed_flag_set(parts->packed) &&
		   reference >= parts->own_from; /* a packed block has no strings of its own */
	const struct rs_strings *strings = own ? &parts->strings : &v->table->strings;
	uint32_t offset = own ? reference - parts->own_from : reference;
	if (!rs_is_string_offset(strings, offset))
		return fail_in_block(v, own ? ROSSYM_FAULT_OWN_STRING : ROSSYM_FAULT_STRING,
				     find_number_place(v, record, column), offset, strings->length);
	return check_text_start(v, offset);
}

/* RECORD is a frame.  Store in *NEXT the number of the frame after it in its chain.  Returns 0 or -1. */
static int find_next_frame(const struct verifying *v, const struct record *record, uint32_t *next)
{
	struct rs_context context;
	if (!rs_is_packed_flag_set(v->parts->packed)) {
		*next = read_frame_in_column(record, RS_FRAME_NEXT);
		return 0;
	}
	if (rs_packed_read_context(v->table, read_number_in_column(record, RS_PACKED_FRAME_CONTEXT), record->number,
				   &context, v->fault) < 0)
		return -1;
	*next = context.frame;
	return 0;
}

/* Check that each frame leads only to lower numbers, so that no chain can be a circle, and that no chain is
   too long. */
static int check_frames(const struct verifying *v)
{
	const struct rs_columns *frames = &v->parts->frames;
	/* The length of the chain from each frame on, so that no chain is walked twice. */
	uint16_t *depths = (uint16_t *)(void *)v->scratch->window;
	struct record record;
	if (check_window_room(v, frames->count, sizeof *depths) < 0)
		return -1;
	for (uint32_t i = 0; i < frames->count; i++) {
		if (!read_record_to_check(v, frames, i, &record))
			return -1;
		uint32_t next;
		if (find_next_frame(v, &record, &next) < 0)
			return -1;
		if (next != RS_BLOCK_NONE && next >= i)
			return fail_in_block(v, ROSSYM_FAULT_FRAME_NEXT,
					     find_number_place(v, &record, RS_FRAME_FUNCTION), i, next);
		depths[i] = (uint16_t)(next == RS_BLOCK_NONE ? 1 : depths[next] + 1);
		if (depths[i] > RS_CHAIN_MAX)
			return fail_in_block(v, ROSSYM_FAULT_FRAME_CHAIN,
					     find_number_place(v, &record, RS_FRAME_FUNCTION), i, RS_CHAIN_MAX);
		if (!rs_is_packed_flag_set(v->parts->packed) && (check_reference(v, &record, RS_FRAME_FUNCTION) < 0 ||
								 check_reference(v, &record, RS_FRAME_FILE) < 0))
			return -1;
	}
	return 0;
}

/* Check that the contexts of a packed table have strings and frames that exist. */
static int check_contexts(const struct verifying *v)
{
	const struct rs_strings *strings = &v->table->strings;
	struct rs_context context;
	for (uint32_t i = 0; i < v->table->packed.context_count; i++) {
		if (rs_packed_read_context(v->table, i, i, &context, v->fault) < 0)
			return -1;
		const uint32_t wrong = rs_is_string_offset(strings, context.function) ? context.file : context.function;
		if (!rs_is_string_offset(strings, wrong))
			return fail_in_block(v, ROSSYM_FAULT_STRING, RS_BLOCK_CHUNKS, wrong, strings->length);
		if (check_text_start(v, context.function) < 0 || check_text_start(v, context.file) < 0)
			return -1;
		if (context.frame != RS_BLOCK_NONE && context.frame >= v->parts->frames.count)
			return fail_in_block(v, ROSSYM_FAULT_CONTEXT_FRAME, RS_BLOCK_CHUNKS, i, context.frame);
	}
	return 0;
}

/* Check that phrases are pieces of the text before them, and have no NUL. */
static int check_phrases(const struct verifying *v)
{
	const struct rs_strings *strings = &v->table->strings;
	const uint32_t entries = strings->phrases * (uint32_t)RS_PHRASE_SIZE;
	const uint64_t most = v->table->strings_offset - v->table->rows_offset;
	for (uint32_t i = 0; i < strings->phrases; i++) {
		uint8_t buffer[RS_PHRASE_LENGTH];
		struct rs_phrase phrase;
		if (rs_text_read_phrase(strings, i, &phrase, v->fault) < 0)
			return -1;
		const uint64_t at = strings->offset - phrase.before;
		const uint8_t *p = rs_view(&strings->reader, at, phrase.length, buffer, v->fault);
		if (!p)
			return -1;
		uint32_t text = 0;
		while (text < phrase.length && p[text] != 0)
			text++;
		if (phrase.before > most || phrase.before < entries + phrase.length || text < phrase.length)
			return rs_fault_store(v->fault, ROSSYM_FAULT_PHRASE, at, i, 0, 0);
	}
	return 0;
}

/* Returns the size in bytes of an array with a bit for each byte of STRINGS. */
static size_t compute_text_bitmap_size(const struct rs_strings *strings)
{
	return strings->length / 8 + 1u;
}

/* Set a bit in the window for each byte at which a packed string begins, and check that all symbols (bytes and phrases)
   of strings exist.  With these bits check_text_start() refuses references into the middle of a string or symbol. */
static int check_texts_and_mark_starts(const struct verifying *v)
{
	const struct rs_strings *strings = &v->table->strings;
	uint8_t buffer[RS_WINDOW_SIZE];
	uint8_t *starts = v->scratch->window;
	uint32_t symbol = 0;
	bool second = false, start = true;
	if (check_window_room(v, compute_text_bitmap_size(strings), 1) < 0)
		return -1;
	memset(starts, 0, compute_text_bitmap_size(strings));
	for (uint32_t at = 0, step; at < strings->length; at += step) {
		step = strings->length - at < RS_WINDOW_SIZE ? strings->length - at : (uint32_t)RS_WINDOW_SIZE;
		const uint8_t *p = rs_view(&strings->reader, strings->offset + at, step, buffer, v->fault);
		if (!p)
			return -1;
		for (uint32_t i = at; i < at + step; i++) {
			const uint8_t byte = p[i - at];
			if (start)
				starts[i / 8] |= (uint8_t)(1u << i % 8);
			symbol = second ? symbol << 8 | byte : byte & 0x7fu;
			if (second && (symbol == 0 || symbol >= RS_PHRASE_FIRST + (uint32_t)strings->phrases))
				return rs_fault_store(v->fault, ROSSYM_FAULT_TEXT, strings->offset + i, i, 0, 0);
			start = !second && byte == 0;
			second = !second && byte >= 0x80;
		}
	}
	return second ? rs_fault_store(v->fault, ROSSYM_FAULT_TEXT, strings->offset + strings->length, strings->length,
				       0, 0)
		      : 0;
}

/* Checks a record of a list that ascends by its first column.  FIRST, the number in that column, is at offset AT of the
   block. */
typedef int check_function(const struct verifying *v, const struct record *record, uint64_t at, uint32_t first);

/* Check that RECORDS ascend, by at least STEP from one to the next, and check each with CHECK.  UNORDERED is the fault
   to store for a record that does not ascend. */
static int check_list(const struct verifying *v, const struct rs_columns *records, uint32_t step,
		      enum rossym_fault_code unordered, check_function *check)
{
	struct record record;
	uint64_t least = 0;
	for (uint32_t i = 0; i < records->count; i++) {
		if (!read_record_to_check(v, records, i, &record))
			return -1;
		const uint64_t at = find_number_place(v, &record, 0);
		const uint32_t first = read_number_in_column(&record, 0);
		if (first < least)
			return fail_in_block(v, unordered, at, first, 0);
		if (check(v, &record, at, first) < 0)
			return -1;
		least = (uint64_t)first + step;
	}
	return 0;
}

/* Check that the first row and the first frame of a run (rows with the same chain of frames) exist. */
static int check_run(const struct verifying *v, const struct record *record, uint64_t at, uint32_t row)
{
	const uint32_t frame = read_frame_in_column(record, RS_RUN_FRAME);
	if (row >= v->table->row_count)
		return fail_in_block(v, ROSSYM_FAULT_RUN_ROW, at, row, v->table->row_count);
	if (frame != RS_BLOCK_NONE && frame >= v->parts->frames.count)
		return fail_in_block(v, ROSSYM_FAULT_RUN_FRAME, at, frame, v->parts->frames.count);
	return 0;
}

/* Check that the code of a function, or of another name, ends below 4 GiB, and that the string of the name exists. */
static int check_function_end(const struct verifying *v, const struct record *record, uint64_t at, uint32_t rva)
{
	if (read_number_in_column(record, RS_FUNCTION_LENGTH) > UINT32_MAX - rva)
		return fail_in_block(v, ROSSYM_FAULT_FUNCTION_END, at, rva, 0);
	return check_reference(v, record, RS_FUNCTION_NAME);
}

/* Check that a cut string is in the table's strings, and that this string and its whole form exist. */
static int check_cut_string(const struct verifying *v, const struct record *record, uint64_t at, uint32_t offset)
{
	if (offset >= v->parts->own_from)
		return fail_in_block(v, ROSSYM_FAULT_LONG_OWN, at, 0, 0);
	if (check_reference(v, record, RS_LONG_SHORT) < 0)
		return -1;
	return check_reference(v, record, RS_LONG_WHOLE);
}

/* --------------------------------------------------------------------------------------- the whole block */

size_t rs_parts_scratch_size(const struct rs_parts *parts, const struct rs_table *table)
{
	/* If the chunks are damaged, verification fails before it uses an array, so RS_WINDOW_SIZE bytes suffice. */
	struct rs_parts opened = *parts;
	struct rs_columns names;
	struct rossym_fault fault;
	struct rs_chunk chunk;
	uint64_t window = RS_WINDOW_SIZE, tags = 0;
	if (rs_parts_open(&opened, &names, &fault) == 0) {
		for (uint32_t at = RS_BLOCK_CHUNKS;
		     at < parts->size && rs_parts_read_chunk_header(parts, at, &chunk, &fault) == 0; at = chunk.next)
			tags += sizeof(uint32_t);
		uint64_t depths = (uint64_t)opened.frames.count * sizeof(uint16_t);
		window = depths > window ? depths : window;
		window = tags > window ? tags : window;
		if (rs_is_packed_flag_set(opened.packed) && compute_text_bitmap_size(&table->strings) > window)
			window = compute_text_bitmap_size(&table->strings);
	}
	const size_t most = (size_t)-1 - sizeof(struct scratch);
	return sizeof(struct scratch) + (window < most ? (size_t)window : most);
}

int rs_parts_verify(struct rs_parts *parts, const struct rs_table *table, void *memory, size_t size,
		    struct rossym_fault *fault)
{
	if (size < sizeof(struct scratch) + RS_WINDOW_SIZE)
		return rs_fault_store(fault, ROSSYM_FAULT_SCRATCH, 0, rs_parts_scratch_size(parts, table), 0, 0);
	const struct verifying v = { parts, table, memory, size - sizeof(struct scratch), fault };
	struct rs_columns names;
	rs_crc_fill_tables(&v.scratch->crc);
	if (check_block_header(&v) < 0 || rs_parts_open(parts, &names, fault) < 0 || check_tags(&v) < 0 ||
	    (rs_is_packed_flag_set(parts->packed) && check_phrases(&v) < 0) || check_strings(&v) < 0 ||
	    check_frames(&v) < 0 ||
	    (rs_is_packed_flag_set(parts->packed) && (check_texts_and_mark_starts(&v) < 0 || check_contexts(&v) < 0)) ||
	    check_list(&v, &parts->runs, 1, ROSSYM_FAULT_RUN_ORDER, check_run) < 0 ||
	    check_list(&v, &parts->functions, 0, ROSSYM_FAULT_FUNCTION_ORDER, check_function_end) < 0 ||
	    check_list(&v, &names, 0, ROSSYM_FAULT_FUNCTION_ORDER, check_function_end) < 0)
		return -1;
	return check_list(&v, &parts->longs, 1, ROSSYM_FAULT_LONG_ORDER, check_cut_string);
}
