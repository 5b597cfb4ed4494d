// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-write.h"
#include "lib/base/alloc.h"
#include "lib/base/chunks.h"
#include "core/bytes.h"
#include "lib/base/error.h"
#include "lib/base/sort.h"
#include "core/layout.h"

enum { RECORD_CHUNKS = 5 };

/* A string that was cut. */
struct rs_long_string {
	uint32_t offset; /* offset of the short form in the table's strings */
	uint32_t whole;	 /* number of the whole string */
};

struct new_block {
	struct rs_block_content of;
	uint32_t *frame_numbers;      /* by a frame's number in `frames`: 1 + its number in the block; 0: not written */
	uint32_t *frame_order;	      /* by a frame's number in the block: its number in `frames` */
	uint32_t *references;	      /* by a string's number: the reference to it */
	struct rs_pool own;	      /* the strings that only the block has */
	struct rs_long_string *longs; /* sorted by offset */
	uint32_t strings_size;	      /* bytes of the strings in `own` */
	uint32_t frame_count, runs, long_count;
	uint32_t name_count; /* how many of the functions are only names: their length is 0 */
};

/* ------------------------------------------------------------------------------------------------ frames */

/* Go through the rows in order, and number the frames of their chains.  A frame gets a higher number than the next
   frame of its chain.  A frame that is in no chain gets no number, so it is not written.  Count the runs
   (core/layout.h), too.  Returns 0 or -1. */
static int number_frames(struct new_block *block, struct rossym_error *err)
{
	const struct rs_frames *frames = block->of.frames;
	const struct rs_rows *rows = block->of.rows;
	block->frame_numbers = rs_alloc((size_t)frames->count + 1, sizeof *block->frame_numbers);
	block->frame_order = rs_alloc((size_t)frames->count + 1, sizeof *block->frame_order);
	if (!block->frame_numbers || !block->frame_order)
		return rs_fail_memory(err);
	uint32_t last = 0, chain[RS_CHAIN_MAX];
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame, count = 0;
		block->runs += frame != last;
		last = frame;
		for (; frame && !block->frame_numbers[frame]; frame = frames->items[frame - 1].next)
			chain[count++] = frame;
		while (count-- > 0) {
			block->frame_order[block->frame_count] = chain[count];
			block->frame_numbers[chain[count]] = ++block->frame_count;
		}
	}
	return 0;
}

/* ----------------------------------------------------------------------------------------------- strings */

/* Make the list of cut strings.  Leaves out a short form that two long strings have, or that is also a string of a row:
   it would not tell which string is meant.  Returns 0 or -1. */
static int list_cut_strings(struct new_block *block, struct rossym_error *err)
{
	enum { SEVERAL = UINT32_MAX };
	const struct rs_pool *pool = block->of.strings;
	/* By the index of a short form: the number of the whole string, or SEVERAL. */
	uint32_t *whole = rs_alloc((size_t)pool->count + 1, sizeof *whole), count = 0;
	int ret = -1;
	if (!whole)
		return rs_fail_memory(err);
	for (uint32_t number = 1; number < pool->index_count; number++) {
		const uint32_t index = pool->indexes[number];
		const uint32_t other = index ? pool->items[index].written_as : 0;
		if (other == index)
			continue;
		whole[other] = whole[other] || pool->items[other].is_in_rows ? (uint32_t)SEVERAL : number;
		count++;
	}
	block->longs = rs_alloc(count, sizeof *block->longs);
	if (!block->longs) {
		rs_fail_memory(err);
		goto out;
	}
	for (uint32_t i = 1; i < pool->count && count > 0; i++)
		if (whole[i] != 0 && whole[i] != SEVERAL)
			block->longs[block->long_count++] = (struct rs_long_string){ pool->items[i].place, whole[i] };
	rs_sort(block->longs, block->long_count, sizeof *block->longs, rs_by_one);
	ret = 0;
out:
	rs_free(whole);
	return ret;
}

/* Mark, in block->references, the strings that something in the block refers to. */
static void mark_strings(const struct new_block *block)
{
	const struct rs_frames *frames = block->of.frames;
	for (uint32_t i = 1; i <= frames->count; i++)
		if (block->frame_numbers[i]) {
			block->references[frames->items[i - 1].function] = 1;
			block->references[frames->items[i - 1].file] = 1;
		}
	for (uint32_t i = 0; i < block->of.function_count; i++)
		block->references[block->of.functions[i].name] = 1;
	for (uint32_t i = 0; i < block->long_count; i++)
		block->references[block->longs[i].whole] = 1;
}

/* Make a reference to each string that the block needs: its offset in the table's strings, if the table has it whole;
   else the size of the table's strings plus its offset in the block's own.  Returns 0 or -1. */
static int make_references(struct new_block *block, struct rossym_error *err)
{
	struct rs_pool *own = &block->own;
	const struct rs_pool *table = block->of.strings;
	const uint32_t count = table->strings->count;
	block->references = rs_alloc(count, sizeof *block->references);
	if (!block->references)
		return rs_fail_memory(err);
	mark_strings(block);
	block->references[0] = 0; /* "" */
	own->strings = table->strings;
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t there = rs_pool_index(table, i);
		uint32_t index;
		if (block->references[i] == 0)
			continue;
		if (there && table->items[there].written_as == there)
			block->references[i] = table->items[there].place;
		else if (rs_pool_add(own, i, &index, err) < 0)
			return -1;
	}
	if (own->count == 0)
		return 0;
	if (rs_pool_lay_out(own, &block->strings_size, err) < 0)
		return -1;
	if (block->strings_size > UINT32_MAX - block->of.table_strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0,
			       "the table's strings and those of inlined calls have 4 GiB or more");
	for (uint32_t i = 1; i < count; i++)
		if (rs_pool_index(own, i))
			block->references[i] = block->of.table_strings_size + rs_pool_place(own, i);
	return 0;
}

/* ----------------------------------------------------------------------------------------------- records */

static int collect_frames(const struct new_block *block, struct rs_records *records, struct rossym_error *err)
{
	uint32_t tag = block->of.inner ? RS_TAG_INNER : RS_TAG_OUTER;
	if (rs_records_open(records, tag, RS_FRAME_COLUMNS, 1U << RS_FRAME_NEXT, block->frame_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < block->frame_count; i++, numbers += RS_FRAME_COLUMNS) {
		const struct rs_frame *frame = &block->of.frames->items[block->frame_order[i] - 1];
		numbers[RS_FRAME_FUNCTION] = block->references[frame->function];
		numbers[RS_FRAME_FILE] = block->references[frame->file];
		numbers[RS_FRAME_LINE] = frame->line;
		/* frame_numbers[0] is 0, for no frame, and 0 - 1 is RS_BLOCK_NONE. */
		numbers[RS_FRAME_NEXT] = block->frame_numbers[frame->next] - 1;
	}
	return 0;
}

static int collect_runs(const struct new_block *block, struct rs_records *records, struct rossym_error *err)
{
	const struct rs_rows *rows = block->of.rows;
	if (rs_records_open(records, RS_TAG_MAP, RS_RUN_COLUMNS, 1U << RS_RUN_FRAME, block->runs, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers, last = 0;
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame;
		if (frame == last)
			continue;
		last = frame;
		numbers[RS_RUN_ROW] = i;
		numbers[RS_RUN_FRAME] = block->frame_numbers[frame] - 1;
		numbers += RS_RUN_COLUMNS;
	}
	return 0;
}

/* Collect the functions; or if NAMES, the other names of code, which have a chunk of their own.  Returns 0 or -1. */
static int collect_functions(const struct new_block *block, struct rs_records *records, bool names,
			     struct rossym_error *err)
{
	const uint32_t count = names ? block->name_count : block->of.function_count - block->name_count;
	if (rs_records_open(records, names ? RS_TAG_NAMES : RS_TAG_FUNCTIONS, RS_FUNCTION_COLUMNS, 0, count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < block->of.function_count; i++) {
		const struct rs_new_function *function = &block->of.functions[i];
		if ((function->length == 0) != names)
			continue;
		numbers[RS_FUNCTION_RVA] = function->rva;
		numbers[RS_FUNCTION_LENGTH] = function->length;
		numbers[RS_FUNCTION_NAME] = block->references[function->name];
		numbers += RS_FUNCTION_COLUMNS;
	}
	return 0;
}

static int collect_longs(const struct new_block *block, struct rs_records *records, struct rossym_error *err)
{
	if (rs_records_open(records, RS_TAG_LONG, RS_LONG_COLUMNS, 0, block->long_count, err) < 0)
		return -1;
	uint32_t *numbers = records->numbers;
	for (uint32_t i = 0; i < block->long_count; i++, numbers += RS_LONG_COLUMNS) {
		numbers[RS_LONG_SHORT] = block->longs[i].offset;
		numbers[RS_LONG_WHOLE] = block->references[block->longs[i].whole];
	}
	return 0;
}

/* Collect the records of all chunks, in the order in which the chunks are written. */
static int collect_records(const struct new_block *block, struct rs_records *records, struct rossym_error *err)
{
	if (collect_longs(block, &records[0], err) < 0 || collect_frames(block, &records[1], err) < 0 ||
	    collect_runs(block, &records[2], err) < 0 || collect_functions(block, &records[3], false, err) < 0 ||
	    collect_functions(block, &records[4], true, err) < 0)
		return -1;
	for (int i = 0; i < RECORD_CHUNKS; i++)
		rs_records_fit(&records[i]);
	return 0;
}

/* ------------------------------------------------------------------------------------------------- bytes */

static int write_block(const struct new_block *block, const struct rs_records *records, struct rs_block_made *ret,
		       struct rossym_error *err)
{
	const uint64_t size = rs_block_size(records, RECORD_CHUNKS, block->strings_size);
	uint8_t *bytes = size > 0 ? rs_table_alloc(size, err) : NULL;
	if (size == 0 || !bytes)
		return size == 0 ? 0 : -1;
	uint8_t *strings = rs_block_put(bytes, records, RECORD_CHUNKS, block->strings_size);
	if (strings)
		rs_pool_write(&block->own, strings);
	ret->bytes = bytes;
	ret->size = (uint32_t)size;
	return 0;
}

int rs_block_make(const struct rs_block_content *content, struct rs_block_made *ret, struct rossym_error *err)
{
	struct rs_records records[RECORD_CHUNKS] = { { .tag = 0 } };
	struct new_block block = { .of = *content };
	int r = -1;
	*ret = (struct rs_block_made){ .bytes = NULL };
	for (uint32_t i = 0; i < content->function_count; i++)
		block.name_count += content->functions[i].length == 0;
	if (number_frames(&block, err) == 0 && list_cut_strings(&block, err) == 0 &&
	    make_references(&block, err) == 0 && collect_records(&block, records, err) == 0)
		r = write_block(&block, records, ret, err);
	ret->frames = block.frame_count;
	ret->runs = block.runs;
	ret->functions = content->function_count - block.name_count;
	ret->names = block.name_count;
	ret->long_strings = block.long_count;
	rs_free(block.frame_numbers);
	rs_free(block.frame_order);
	rs_free(block.references);
	rs_pool_clear(&block.own);
	rs_free(block.longs);
	for (int i = 0; i < RECORD_CHUNKS; i++)
		rs_free(records[i].numbers);
	return r;
}
