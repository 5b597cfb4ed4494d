// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-write.h"
#include "lib/base/alloc.h"
#include "lib/base/chunks.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <string.h>

enum { RECORD_CHUNKS = 5 };

/* ----------------------------------------------------------------------------------------------- records */

static int collect_frames(const struct rs_block_content *content, struct rs_records *records, struct rossym_error *err)
{
	uint32_t tag = content->inner ? RS_TAG_INNER : RS_TAG_OUTER;
	if (rs_records_open(records, tag, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT, content->frame_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < content->frame_count; i++, numbers += RS_FRAME_COLUMNS) {
		const struct rs_frame *frame = &content->frames->items[content->frame_order[i] - 1];
		numbers[RS_FRAME_FUNCTION] = content->references[frame->function];
		numbers[RS_FRAME_FILE] = content->references[frame->file];
		numbers[RS_FRAME_LINE] = frame->line;
		/* frame_numbers[0] is 0, for no frame, and 0 - 1 is RS_BLOCK_NONE. */
		numbers[RS_FRAME_NEXT] = content->frame_numbers[frame->next] - 1;
	}
	return 0;
}

static int collect_runs(const struct rs_block_content *content, struct rs_records *records, struct rossym_error *err)
{
	const struct rs_rows *rows = content->rows;
	if (rs_records_open(records, RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME, content->runs, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers, last = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame;
		if (frame == last)
			continue;
		last = frame;
		numbers[RS_RUN_ROW] = i;
		numbers[RS_RUN_FRAME] = content->frame_numbers[frame] - 1;
		numbers += RS_RUN_COLUMNS;
	}
	return 0;
}

/* Collect the COUNT functions of CONTENT; or if NAMES, its COUNT other names of code, which have a chunk of their own.
   Returns 0 or -1. */
static int collect_some_functions(const struct rs_block_content *content, struct rs_records *records, bool names,
				  uint32_t count, struct rossym_error *err)
{
	if (rs_records_open(records, names ? RS_TAG_NAMES : RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < content->function_count; i++) {
		const struct rs_new_function *function = &content->functions[i];
		if ((function->length == 0) != names)
			continue;
		numbers[RS_FUNCTION_RVA] = function->rva;
		numbers[RS_FUNCTION_LENGTH] = function->length;
		numbers[RS_FUNCTION_NAME] = content->references[function->name];
		numbers += RS_FUNCTION_COLUMNS;
	}
	return 0;
}

static int collect_functions(const struct rs_block_content *content, struct rs_records *records,
			     struct rossym_error *err)
{
	return collect_some_functions(content, records, false, content->function_count - content->name_count, err);
}

static int collect_names(const struct rs_block_content *content, struct rs_records *records, struct rossym_error *err)
{
	return collect_some_functions(content, records, true, content->name_count, err);
}

static int collect_longs(const struct rs_block_content *content, struct rs_records *records, struct rossym_error *err)
{
	if (rs_records_open(records, RS_TAG_LONG, RS_LONG_COLUMNS, 0, content->long_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < content->long_count; i++, numbers += RS_LONG_COLUMNS) {
		numbers[RS_LONG_SHORT] = content->longs[i].offset;
		numbers[RS_LONG_WHOLE] = content->references[content->longs[i].whole];
	}
	return 0;
}

/* Collect the records of all chunks, in the order in which the chunks are written. */
static int collect_records(const struct rs_block_content *content, struct rs_records *records, struct rossym_error *err)
{
	static int (*const collectors[RECORD_CHUNKS])(const struct rs_block_content *, struct rs_records *,
						      struct rossym_error *) = {
		collect_longs, collect_frames, collect_runs, collect_functions, collect_names,
	};
	for (int i = 0; i < RECORD_CHUNKS; i++, records++) {
		if (collectors[i](content, records, err) < 0)
			return -1;
		rs_records_fit(records);
	}
	return 0;
}

/* ------------------------------------------------------------------------------------------------- bytes */

static int put_block(const struct rs_block_content *content, const struct rs_records *records,
		     struct rs_block_made *ret, struct rossym_error *err)
{
	const uint64_t empty = RS_BLOCK_CHUNKS + RS_CHUNK_HEADER + RS_WIDTHS_SIZE;
	uint64_t size = RS_BLOCK_CHUNKS + rs_chunk_size(content->strings_size);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		size += rs_records_size(&records[i]);
	if (size == empty)
		return 0;
	if (size > UINT32_MAX || size > SIZE_MAX)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the table has 4 GiB or more");
	uint8_t *bytes = rs_alloc((size_t)size, 1);
	if (!bytes)
		return rs_fail_memory(err);
	uint8_t *to = bytes + RS_BLOCK_CHUNKS, *p;
	memcpy(bytes, RS_BLOCK_MAGIC, RS_BLOCK_LENGTH);
	rs_put32(bytes + RS_BLOCK_LENGTH, (uint32_t)size);
	rs_put32(bytes + RS_BLOCK_ROWS, content->rows->count);
	rs_records_put(&records[0], &to);
	if ((p = rs_chunk_put(&to, RS_TAG_STRINGS, content->strings_size)))
		rs_pool_write(&content->own, p);
	for (int i = 1; i < RECORD_CHUNKS; i++)
		rs_records_put(&records[i], &to);
	ret->bytes = bytes;
	ret->size = (uint32_t)size;
	return 0;
}

int rs_block_make(struct rs_block_content *content, struct rs_block_made *ret, struct rossym_error *err)
{
	struct rs_records records[RECORD_CHUNKS] = { { .tag = 0 } };
	int r = -1;
	*ret = (struct rs_block_made){ .bytes = NULL };
	if (rs_block_collect(content, err) == 0 && collect_records(content, records, err) == 0)
		r = put_block(content, records, ret, err);
	ret->frames = content->frame_count;
	ret->runs = content->runs;
	ret->functions = content->function_count - content->name_count;
	ret->names = content->name_count;
	ret->long_strings = content->long_count;
	rs_block_content_clear(content);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		rs_free(records[i].numbers);
	return r;
}

void rs_block_seal(uint8_t *block, uint32_t size, const uint8_t *table, size_t table_size)
{
	rs_put32(block + RS_BLOCK_TABLE_CRC, rossym_debuglink_crc(0, table, table_size));
	rs_put32(block + RS_BLOCK_CRC, rossym_debuglink_crc(0, block + RS_BLOCK_CRC_FROM, size - RS_BLOCK_CRC_FROM));
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
