// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-content.h"
#include "lib/base/alloc.h"
#include "lib/base/sort.h"
#include "lib/base/error.h"
#include "core/layout.h"

/* ------------------------------------------------------------------------------------------------ frames */

/* Number the frames that are in chains of rows, in the order of the rows.  Each frame gets a higher number than the
   next frame of its chain.  Other frames are not written.  Counts the runs, too.  Returns 0 or -1. */
static int number_frames(struct rs_block_content *content, struct rossym_error *err)
{
	const struct rs_frames *frames = content->frames;
	const struct rs_rows *rows = content->rows;
	content->frame_numbers = rs_alloc((size_t)frames->count + 1, sizeof *content->frame_numbers);
	content->frame_order = rs_alloc((size_t)frames->count + 1, sizeof *content->frame_order);
	if (!content->frame_numbers || !content->frame_order)
		return rs_fail_memory(err);
	uint32_t last = 0, chain[RS_CHAIN_MAX];
	for (uint32_t i = 0; i < rows->count; i++) {
		uint32_t frame = rows->items[i].frame, count = 0;
		content->runs += frame != last;
		last = frame;
		for (; frame && !content->frame_numbers[frame]; frame = frames->items[frame - 1].next)
			chain[count++] = frame;
		while (count-- > 0) {
			content->frame_order[content->frame_count] = chain[count];
			content->frame_numbers[chain[count]] = ++content->frame_count;
		}
	}
	return 0;
}

/* ----------------------------------------------------------------------------------------------- strings */

/* Make the list of cut strings.  Leaves out a short form that two long strings have, or that is also a string of a row:
   it would not tell which string is meant.  Returns 0 or -1. */
static int collect_long(struct rs_block_content *content, struct rossym_error *err)
{
	enum { SEVERAL = UINT32_MAX };
	const struct rs_pool *pool = content->strings;
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
	content->longs = rs_alloc(count, sizeof *content->longs);
	if (!content->longs) {
		rs_fail_memory(err);
		goto out;
	}
	for (uint32_t i = 1; i < pool->count && count > 0; i++)
		if (whole[i] != 0 && whole[i] != SEVERAL)
			content->longs[content->long_count++] = (struct rs_long_string){ pool->items[i].place,
											 whole[i] };
	rs_sort(content->longs, content->long_count, sizeof *content->longs, rs_by_one);
	ret = 0;
out:
	rs_free(whole);
	return ret;
}

/* Mark, in content->references, the strings that something in the block refers to. */
static void mark_strings(const struct rs_block_content *content)
{
	const struct rs_frames *frames = content->frames;
	for (uint32_t i = 1; i <= frames->count; i++)
		if (content->frame_numbers[i]) {
			content->references[frames->items[i - 1].function] = 1;
			content->references[frames->items[i - 1].file] = 1;
		}
	for (uint32_t i = 0; i < content->function_count; i++)
		content->references[content->functions[i].name] = 1;
	for (uint32_t i = 0; i < content->long_count; i++)
		content->references[content->longs[i].whole] = 1;
}

/* Make a reference to each string that the block needs: its offset in the table's strings, if the table has it whole;
   else the size of the table's strings plus its offset in the block's own.  Returns 0 or -1. */
static int refer_strings(struct rs_block_content *content, struct rossym_error *err)
{
	struct rs_pool *own = &content->own;
	const struct rs_pool *table = content->strings;
	const uint32_t count = table->strings->count;
	content->references = rs_alloc(count, sizeof *content->references);
	if (!content->references)
		return rs_fail_memory(err);
	mark_strings(content);
	content->references[0] = 0; /* "" */
	own->strings = table->strings;
	for (uint32_t i = 1; i < count; i++) {
		const uint32_t there = rs_pool_index(table, i);
		uint32_t index;
		if (content->references[i] == 0)
			continue;
		if (there && table->items[there].written_as == there)
			content->references[i] = table->items[there].place;
		else if (rs_pool_add(own, i, &index, err) < 0)
			return -1;
	}
	if (own->count == 0)
		return 0;
	if (rs_pool_lay_out(own, &content->strings_size, err) < 0)
		return -1;
	if (content->strings_size > UINT32_MAX - content->table_strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0,
			       "the table's strings and those of inlined calls have 4 GiB or more");
	for (uint32_t i = 1; i < count; i++)
		if (rs_pool_index(own, i))
			content->references[i] = content->table_strings_size + rs_pool_place(own, i);
	return 0;
}

int rs_block_collect(struct rs_block_content *content, struct rossym_error *err)
{
	for (uint32_t i = 0; i < content->function_count; i++)
		content->name_count += content->functions[i].length == 0;
	return number_frames(content, err) < 0 || collect_long(content, err) < 0 || refer_strings(content, err) < 0 ? -1
														    : 0;
}

void rs_block_content_clear(struct rs_block_content *content)
{
	rs_free(content->frame_numbers);
	rs_free(content->frame_order);
	rs_free(content->references);
	rs_pool_clear(&content->own);
	rs_free(content->longs);
}
