// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-write.h"
#include "lib/base/alloc.h"
#include "core/bytes.h"
#include "write/columns-write.h"
#include "lib/base/error.h"
#include "core/layout.h"

#include <string.h>

/* The records of a chunk: what is collected, and how it is packed. */
struct chunk_records {
	uint32_t tag;
	unsigned columns;
	unsigned frame_columns; /* bit n: column n holds frame numbers */
	uint32_t count;		/* 0: there is no such chunk */
	uint32_t *numbers;	/* record by record */
	struct rs_columns packed;
};

enum { RECORD_CHUNKS = 5 };

/* ----------------------------------------------------------------------------------------------- records */

static int open_records(struct chunk_records *records, uint32_t tag, unsigned columns, unsigned frame_columns,
			uint32_t count, struct rossym_error *err)
{
	*records = (struct chunk_records){
		.tag = tag, .columns = columns, .frame_columns = frame_columns, .count = count
	};
	records->numbers = rs_alloc(count, columns * sizeof *records->numbers);
	return records->numbers ? 0 : rs_fail_memory(err);
}

static int collect_frames(const struct rs_block_content *content, struct chunk_records *records,
			  struct rossym_error *err)
{
	uint32_t tag = content->inner ? RS_TAG_INNER : RS_TAG_OUTER;
	if (open_records(records, tag, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT, content->frame_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < content->frame_count; i++, numbers += RS_FRAME_COLUMNS) {
		const struct rs_frame *frame = &content->frames->items[content->frame_order[i] - 1];
		numbers[RS_FRAME_FUNCTION] = content->references[frame->function];
		numbers[RS_FRAME_FILE] = content->references[frame->file];
		numbers[RS_FRAME_LINE] = frame->line;
		/* The number of no frame is 0 here, and 0 - 1 is RS_BLOCK_NONE in the block. */
		numbers[RS_FRAME_NEXT] = content->frame_numbers[frame->next] - 1;
	}
	return 0;
}

static int collect_runs(const struct rs_block_content *content, struct chunk_records *records, struct rossym_error *err)
{
	const struct rs_rows *rows = content->rows;
	if (open_records(records, RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME, content->runs, err) < 0)
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

/* Collect COUNT functions: those that are only names, which have a chunk of their own, or the others. */
static int collect_some_functions(const struct rs_block_content *content, struct chunk_records *records, bool names,
				  uint32_t count, struct rossym_error *err)
{
	if (open_records(records, names ? RS_TAG_NAMES : RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, count, err) < 0)
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

static int collect_functions(const struct rs_block_content *content, struct chunk_records *records,
			     struct rossym_error *err)
{
	return collect_some_functions(content, records, false, content->function_count - content->name_count, err);
}

static int collect_names(const struct rs_block_content *content, struct chunk_records *records,
			 struct rossym_error *err)
{
	return collect_some_functions(content, records, true, content->name_count, err);
}

static int collect_longs(const struct rs_block_content *content, struct chunk_records *records,
			 struct rossym_error *err)
{
	if (open_records(records, RS_TAG_LONG, RS_LONG_COLUMNS, 0, content->long_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < content->long_count; i++, numbers += RS_LONG_COLUMNS) {
		numbers[RS_LONG_SHORT] = content->longs[i].offset;
		numbers[RS_LONG_WHOLE] = content->references[content->longs[i].whole];
	}
	return 0;
}

/* Collect the records of all chunks, in the order in which the chunks are written. */
static int collect_records(const struct rs_block_content *content, struct chunk_records *records,
			   struct rossym_error *err)
{
	static int (*const collectors[RECORD_CHUNKS])(const struct rs_block_content *, struct chunk_records *,
						      struct rossym_error *) = {
		collect_longs, collect_frames, collect_runs, collect_functions, collect_names,
	};
	for (int i = 0; i < RECORD_CHUNKS; i++, records++) {
		if (collectors[i](content, records, err) < 0)
			return -1;
		rs_columns_fit(&records->packed, records->numbers, records->count, records->columns,
			       records->frame_columns);
	}
	return 0;
}

/* Return the bytes of a chunk without its header, or 0 if the chunk is not written.  The chunk LONG is always written,
   and first: readers that need only whole names look no further (longs.h). */
static uint64_t payload_size(const struct chunk_records *records)
{
	bool is_written = records->count || records->tag == RS_TAG_LONG;
	return is_written ? RS_WIDTHS_SIZE + (uint64_t)records->count * records->packed.size : 0;
}

/* ------------------------------------------------------------------------------------------------- bytes */

static uint64_t chunk_size(uint64_t payload)
{
	return payload ? RS_CHUNK_HEADER + rs_align(payload, 4) : 0;
}

/* Begin a chunk at *TO, move *TO to the next chunk, and return where the payload goes.  Return NULL if PAYLOAD, its
   size, is 0: then the chunk is not written. */
static uint8_t *put_chunk(uint8_t **to, uint32_t tag, uint32_t payload)
{
	if (payload == 0)
		return NULL;
	uint8_t *chunk = *to;
	rs_put32(chunk, tag);
	rs_put32(chunk + 4, payload);
	*to += chunk_size(payload);
	return chunk + RS_CHUNK_HEADER;
}

static void put_records(uint8_t **to, const struct chunk_records *records)
{
	uint8_t *p = put_chunk(to, records->tag, (uint32_t)payload_size(records));
	if (!p)
		return;
	memcpy(p, records->packed.width, RS_WIDTHS_SIZE);
	rs_columns_write(&records->packed, records->numbers, records->columns, p + RS_WIDTHS_SIZE);
}

static int put_block(const struct rs_block_content *content, const struct chunk_records *records,
		     struct rs_block_made *ret, struct rossym_error *err)
{
	const uint64_t empty = RS_BLOCK_CHUNKS + RS_CHUNK_HEADER + RS_WIDTHS_SIZE;
	uint64_t size = RS_BLOCK_CHUNKS + chunk_size(content->strings_size);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		size += chunk_size(payload_size(&records[i]));
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
	put_records(&to, &records[0]);
	if ((p = put_chunk(&to, RS_TAG_STRINGS, content->strings_size)))
		rs_pool_write(&content->own, p);
	for (int i = 1; i < RECORD_CHUNKS; i++)
		put_records(&to, &records[i]);
	ret->bytes = bytes;
	ret->size = (uint32_t)size;
	return 0;
}

int rs_block_make(struct rs_block_content *content, struct rs_block_made *ret, struct rossym_error *err)
{
	struct chunk_records records[RECORD_CHUNKS] = { { .tag = 0 } };
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
