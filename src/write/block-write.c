// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-write.h"
#include "lib/alloc.h"
#include "core/bytes.h"
#include "lib/columns.h"
#include "lib/error.h"
#include "core/layout.h"

#include <stdlib.h>
#include <string.h>

void rs_block_draft_clear(struct rs_block_draft *draft)
{
	rs_pool_clear(&draft->strings);
	rs_frames_clear(&draft->frames);
	rs_free(draft->functions);
}

int rs_block_draft_function(struct rs_block_draft *draft, struct rs_block_function function, struct rossym_error *err)
{
	if (draft->function_count == draft->function_room) {
		if (draft->function_room >= UINT32_C(1) << 28)
			return rs_fail(err, ROSSYM_EREFUSED, 0, "more functions than a table can have");
		uint32_t room = draft->function_room ? draft->function_room * 2 : 256;
		struct rs_block_function *functions = rs_alloc(room, sizeof *functions);
		if (!functions)
			return rs_fail_memory(err);
		if (draft->function_count > 0)
			memcpy(functions, draft->functions, draft->function_count * sizeof *functions);
		rs_free(draft->functions);
		draft->functions = functions;
		draft->function_room = room;
	}
	function.order = draft->function_count;
	draft->functions[draft->function_count++] = function;
	return 0;
}

/* A string that was cut, and the whole one. */
struct long_string {
	uint32_t offset, whole;	/* of the short one in the table; number in the block's pool */
};

/* The records of a chunk: what is collected, and how it is packed. */
struct records {
	uint32_t tag;
	unsigned columns;
	unsigned frame_columns;	/* a bit for each column that holds frame numbers */
	uint32_t count;		/* 0: there is no such chunk */
	uint32_t *numbers;	/* record by record */
	struct rs_columns packed;
};

enum { RECORD_CHUNKS = 4 };

/* What rs_block_make() collects. */
struct making {
	struct rs_block_draft *draft;
	const struct rs_block_table *table;
	uint32_t *frame_numbers;	/* of each frame that is written, + 1; 0 = it is not */
	uint32_t *frame_order;		/* the frames by these numbers */
	uint32_t *references;		/* of each string of the block's pool */
	struct rs_block_function *functions;	/* sorted */
	struct long_string *longs;	/* sorted */
	uint32_t strings_size, frames, runs, function_count, long_count;
	struct records records[RECORD_CHUNKS];
};

/* ------------------------------------------------------------------------------------------------ frames */

/* Only frames that rows lead to are written, in the order in which rows lead to them, and callers before what they
   call: so their order does not depend on that in which they were added. */
static int number_frames(struct making *making, struct rossym_error *err)
{
	const struct rs_frames *frames = &making->draft->frames;
	const struct rs_block_table *table = making->table;
	making->frame_numbers = rs_alloc((size_t)frames->count + 1, sizeof *making->frame_numbers);
	making->frame_order = rs_alloc((size_t)frames->count + 1, sizeof *making->frame_order);
	if (!making->frame_numbers || !making->frame_order)
		return rs_fail_memory(err);
	uint32_t last = 0, chain[RS_CHAIN_MAX];
	for (uint32_t i = 0; i < table->row_count; i++) {
		uint32_t frame = table->frame_of(table->rows, i), count = 0;
		making->runs += frame != last;
		last = frame;
		for (; frame && !making->frame_numbers[frame]; frame = frames->items[frame - 1].next)
			chain[count++] = frame;
		while (count-- > 0) {
			making->frame_order[making->frames] = chain[count];
			making->frame_numbers[chain[count]] = ++making->frames;
		}
	}
	return 0;
}

/* --------------------------------------------------------------------------------------------- functions */

static int by_address(const void *a, const void *b)
{
	const struct rs_block_function *x = a, *y = b;
	if (x->rva != y->rva)
		return x->rva < y->rva ? -1 : 1;
	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static int sort_functions(struct making *making, struct rossym_error *err)
{
	uint32_t count = making->draft->function_count;
	if (count == 0)
		return 0;
	struct rs_block_function *sorted = making->functions = rs_alloc(count, sizeof *sorted);
	if (!sorted)
		return rs_fail_memory(err);
	memcpy(sorted, making->draft->functions, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_address);
	for (uint32_t i = 0; i < count; i++) {
		const struct rs_block_function *last = making->function_count ? &sorted[making->function_count - 1] : NULL;
		if (!last || last->rva != sorted[i].rva || last->length != sorted[i].length || last->name != sorted[i].name)
			sorted[making->function_count++] = sorted[i];
	}
	return 0;
}

/* ----------------------------------------------------------------------------------------------- strings */

static int by_offset(const void *a, const void *b)
{
	const struct long_string *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Strings of the table that others stand for.  A short one that stands for two, or is a name of its own as well, does
   not tell which is meant, and is left out. */
static int collect_long(struct making *making, struct rossym_error *err)
{
	enum { SEVERAL = UINT32_MAX };
	const struct rs_pool *pool = making->table->strings;
	uint32_t *whole = rs_alloc(pool->count, sizeof *whole), count = 0;
	int ret = -1;
	if (!whole)
		return rs_fail_memory(err);
	for (uint32_t i = 1; i < pool->count; i++) {
		uint32_t other = pool->strings[i].stands_for;
		if (other == i)
			continue;
		whole[other] = whole[other] || pool->strings[other].named ? (uint32_t)SEVERAL : i;
		count++;
	}
	making->longs = rs_alloc(count, sizeof *making->longs);
	if (!making->longs) {
		rs_fail_memory(err);
		goto out;
	}
	for (uint32_t i = 1; i < pool->count && count > 0; i++) {
		if (whole[i] == 0 || whole[i] == SEVERAL)
			continue;
		const struct rs_pool_string *string = &pool->strings[whole[i]];
		struct long_string *item = &making->longs[making->long_count];
		item->offset = pool->strings[i].place;
		if (rs_pool_add(&making->draft->strings, pool->text + string->at, string->length, &item->whole, NULL, err) < 0)
			goto out;
		making->long_count++;
	}
	if (making->long_count > 0)
		qsort(making->longs, making->long_count, sizeof *making->longs, by_offset);
	ret = 0;
out:
	rs_free(whole);
	return ret;
}

static void use_strings(const struct making *making)
{
	const struct rs_block_draft *draft = making->draft;
	for (uint32_t i = 1; i <= draft->frames.count; i++)
		if (making->frame_numbers[i]) {
			making->references[draft->frames.items[i - 1].function] = 1;
			making->references[draft->frames.items[i - 1].file] = 1;
		}
	for (uint32_t i = 0; i < making->function_count; i++)
		making->references[making->functions[i].name] = 1;
	for (uint32_t i = 0; i < making->long_count; i++)
		making->references[making->longs[i].whole] = 1;
}

/* What is used and what the table does not have is laid out. */
static int refer_strings(struct making *making, struct rossym_error *err)
{
	struct rs_pool *own = &making->draft->strings;
	const struct rs_pool *table = making->table->strings;
	making->references = rs_alloc(own->count, sizeof *making->references);
	if (!making->references)
		return rs_fail_memory(err);
	use_strings(making);
	making->references[0] = 0;	/* "" */
	bool any = false;
	for (uint32_t i = 1; i < own->count; i++) {
		struct rs_pool_string *string = &own->strings[i];
		uint32_t there = making->references[i] ? rs_pool_find(table, own->text + string->at, string->length) : 0;
		bool has = there && table->strings[there].stands_for == there;
		string->stands_for = making->references[i] && !has ? i : 0;
		making->references[i] = has ? table->strings[there].place : 0;
		any |= string->stands_for == i;
	}
	if (!any)
		return 0;
	if (rs_pool_lay_out(own, &making->strings_size, err) < 0)
		return -1;
	if (making->strings_size > UINT32_MAX - making->table->strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "the table's strings and those of inlined calls have 4 GiB or more");
	for (uint32_t i = 1; i < own->count; i++)
		if (own->strings[i].stands_for == i)
			making->references[i] = making->table->strings_size + own->strings[i].place;
	return 0;
}

/* ----------------------------------------------------------------------------------------------- records */

static int open_records(struct records *records, uint32_t tag, unsigned columns, unsigned frame_columns, uint32_t count,
			struct rossym_error *err)
{
	*records = (struct records){ .tag = tag, .columns = columns, .frame_columns = frame_columns, .count = count };
	records->numbers = rs_alloc(count, columns * sizeof *records->numbers);
	return records->numbers ? 0 : rs_fail_memory(err);
}

static int collect_frames(struct making *making, struct records *records, struct rossym_error *err)
{
	uint32_t tag = making->draft->inner ? RS_TAG_INNER : RS_TAG_OUTER;
	if (open_records(records, tag, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT, making->frames, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < making->frames; i++, numbers += RS_FRAME_COLUMNS) {
		const struct rs_frame *frame = &making->draft->frames.items[making->frame_order[i] - 1];
		numbers[RS_FRAME_FUNCTION] = making->references[frame->function];
		numbers[RS_FRAME_FILE] = making->references[frame->file];
		numbers[RS_FRAME_LINE] = frame->line;
		/* 0, no frame, becomes RS_BLOCK_NONE. */
		numbers[RS_FRAME_NEXT] = making->frame_numbers[frame->next] - 1;
	}
	return 0;
}

static int collect_runs(struct making *making, struct records *records, struct rossym_error *err)
{
	const struct rs_block_table *table = making->table;
	if (open_records(records, RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME, making->runs, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers, last = 0;
	for (uint32_t i = 0; i < table->row_count; i++) {
		uint32_t frame = table->frame_of(table->rows, i);
		if (frame == last)
			continue;
		last = frame;
		numbers[RS_RUN_ROW] = i;
		numbers[RS_RUN_FRAME] = making->frame_numbers[frame] - 1;
		numbers += RS_RUN_COLUMNS;
	}
	return 0;
}

static int collect_functions(struct making *making, struct records *records, struct rossym_error *err)
{
	if (open_records(records, RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, making->function_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < making->function_count; i++, numbers += RS_FUNCTION_COLUMNS) {
		numbers[RS_FUNCTION_RVA] = making->functions[i].rva;
		numbers[RS_FUNCTION_LENGTH] = making->functions[i].length;
		numbers[RS_FUNCTION_NAME] = making->references[making->functions[i].name];
	}
	return 0;
}

static int collect_longs(struct making *making, struct records *records, struct rossym_error *err)
{
	if (open_records(records, RS_TAG_LONG, RS_LONG_COLUMNS, 0, making->long_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < making->long_count; i++, numbers += RS_LONG_COLUMNS) {
		numbers[RS_LONG_SHORT] = making->longs[i].offset;
		numbers[RS_LONG_WHOLE] = making->references[making->longs[i].whole];
	}
	return 0;
}

static int collect_records(struct making *making, struct rossym_error *err)
{
	static int (*const collectors[RECORD_CHUNKS])(struct making *, struct records *, struct rossym_error *) = {
		collect_longs, collect_frames, collect_runs, collect_functions,
	};
	for (int i = 0; i < RECORD_CHUNKS; i++) {
		struct records *records = &making->records[i];
		if (collectors[i](making, records, err) < 0)
			return -1;
		rs_columns_fit(&records->packed, records->numbers, records->count, records->columns, records->frame_columns);
	}
	return 0;
}

/* The size of a chunk with its header; 0: the chunk is not written.  LONG is always written, and first: readers that need only
   whole names look no further (longs.h). */
static uint64_t payload_size(const struct records *records)
{
	return records->count || records->tag == RS_TAG_LONG ? RS_WIDTHS_SIZE + (uint64_t)records->count * records->packed.size : 0;
}

/* ------------------------------------------------------------------------------------------------- bytes */

static uint64_t chunk_size(uint64_t payload)
{
	return payload ? RS_CHUNK_HEADER + rs_align(payload, 4) : 0;
}

/* Begin a chunk at *TO.  Returns where its payload goes, and moves *TO to the next chunk; or NULL if the chunk is not written. */
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

static void put_records(uint8_t **to, const struct records *records)
{
	uint8_t *p = put_chunk(to, records->tag, (uint32_t)payload_size(records));
	if (!p)
		return;
	memcpy(p, records->packed.width, RS_WIDTHS_SIZE);
	rs_columns_write(&records->packed, records->numbers, records->columns, p + RS_WIDTHS_SIZE);
}

static int put_block(const struct making *making, struct rs_block_made *ret, struct rossym_error *err)
{
	const uint64_t empty = RS_BLOCK_CHUNKS + RS_CHUNK_HEADER + RS_WIDTHS_SIZE;
	uint64_t size = RS_BLOCK_CHUNKS + chunk_size(making->strings_size);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		size += chunk_size(payload_size(&making->records[i]));
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
	rs_put32(bytes + RS_BLOCK_ROWS, making->table->row_count);
	put_records(&to, &making->records[0]);
	if ((p = put_chunk(&to, RS_TAG_STRINGS, making->strings_size)))
		rs_pool_write(&making->draft->strings, p);
	for (int i = 1; i < RECORD_CHUNKS; i++)
		put_records(&to, &making->records[i]);
	ret->bytes = bytes;
	ret->size = (uint32_t)size;
	return 0;
}

int rs_block_make(struct rs_block_draft *draft, const struct rs_block_table *table, struct rs_block_made *ret,
		  struct rossym_error *err)
{
	struct making making = { .draft = draft, .table = table };
	*ret = (struct rs_block_made){ .bytes = NULL };
	int r = -1;
	if (number_frames(&making, err) == 0 && sort_functions(&making, err) == 0 && collect_long(&making, err) == 0 &&
	    refer_strings(&making, err) == 0 && collect_records(&making, err) == 0)
		r = put_block(&making, ret, err);
	ret->frames = making.frames;
	ret->runs = making.runs;
	ret->functions = making.function_count;
	ret->long_strings = making.long_count;
	rs_free(making.frame_numbers);
	rs_free(making.frame_order);
	rs_free(making.references);
	rs_free(making.functions);
	rs_free(making.longs);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		rs_free(making.records[i].numbers);
	return r;
}

void rs_block_seal(uint8_t *block, uint32_t size, const uint8_t *table, size_t table_size)
{
	rs_put32(block + RS_BLOCK_TABLE_CRC, rossym_debuglink_crc(0, table, table_size));
	rs_put32(block + RS_BLOCK_CRC,
		 rossym_debuglink_crc(0, block + RS_BLOCK_CRC_FROM, size - RS_BLOCK_CRC_FROM));
}
