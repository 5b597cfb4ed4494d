// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "write/block-content.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"
#include "core/layout.h"
#include "lib/base/array.h"

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
	if (draft->function_count >= UINT32_C(1) << 28)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "more functions than a table can have");
	if (rs_array_grow(&draft->functions, &draft->function_room, draft->function_count, sizeof function) < 0)
		return rs_fail_memory(err);
	function.order = draft->function_count;
	draft->functions[draft->function_count++] = function;
	return 0;
}

/* ------------------------------------------------------------------------------------------------ frames */

/* Number the frames that rows lead to, in the order in which rows lead to them, each caller before what it calls.
   Other frames are not written. */
static int number_frames(struct rs_block_content *content, struct rossym_error *err)
{
	const struct rs_frames *frames = &content->draft->frames;
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
			content->frame_order[content->frames] = chain[count];
			content->frame_numbers[chain[count]] = ++content->frames;
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

static int sort_functions(struct rs_block_content *content, struct rossym_error *err)
{
	uint32_t count = content->draft->function_count;
	if (count == 0)
		return 0;
	struct rs_block_function *sorted = content->functions = rs_alloc(count, sizeof *sorted);
	if (!sorted)
		return rs_fail_memory(err);
	memcpy(sorted, content->draft->functions, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_address);
	for (uint32_t i = 0; i < count; i++) {
		const struct rs_block_function *last = content->function_count ? &sorted[content->function_count - 1]
									       : NULL;
		if (last && last->rva == sorted[i].rva && last->length == sorted[i].length &&
		    last->name == sorted[i].name)
			continue;
		sorted[content->function_count++] = sorted[i];
		content->name_count += sorted[i].length == 0;
	}
	return 0;
}

/* ----------------------------------------------------------------------------------------------- strings */

static int by_offset(const void *a, const void *b)
{
	const struct rs_long_string *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Find the strings of the table that longer ones stand for.  Leave out one that two stand for, or that is also a row's
   own string: it does not tell which is meant. */
static int collect_long(struct rs_block_content *content, struct rossym_error *err)
{
	enum { SEVERAL = UINT32_MAX };
	const struct rs_pool *pool = content->strings;
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
	content->longs = rs_alloc(count, sizeof *content->longs);
	if (!content->longs) {
		rs_fail_memory(err);
		goto out;
	}
	for (uint32_t i = 1; i < pool->count && count > 0; i++) {
		if (whole[i] == 0 || whole[i] == SEVERAL)
			continue;
		const struct rs_pool_string *string = &pool->strings[whole[i]];
		struct rs_long_string *item = &content->longs[content->long_count];
		item->offset = pool->strings[i].place;
		if (rs_pool_add(&content->draft->strings, pool->text + string->at, string->length, &item->whole, NULL,
				err) < 0)
			goto out;
		content->long_count++;
	}
	if (content->long_count > 0)
		qsort(content->longs, content->long_count, sizeof *content->longs, by_offset);
	ret = 0;
out:
	rs_free(whole);
	return ret;
}

/* Mark the strings of the block's pool that something refers to. */
static void use_strings(const struct rs_block_content *content)
{
	const struct rs_block_draft *draft = content->draft;
	for (uint32_t i = 1; i <= draft->frames.count; i++)
		if (content->frame_numbers[i]) {
			content->references[draft->frames.items[i - 1].function] = 1;
			content->references[draft->frames.items[i - 1].file] = 1;
		}
	for (uint32_t i = 0; i < content->function_count; i++)
		content->references[content->functions[i].name] = 1;
	for (uint32_t i = 0; i < content->long_count; i++)
		content->references[content->longs[i].whole] = 1;
}

/* Turn the marks into references: an offset in the table's strings where the table has the string; else one in the
   block's own strings, which are counted from the end of the table's. */
static int refer_strings(struct rs_block_content *content, struct rossym_error *err)
{
	struct rs_pool *own = &content->draft->strings;
	const struct rs_pool *table = content->strings;
	content->references = rs_alloc(own->count, sizeof *content->references);
	if (!content->references)
		return rs_fail_memory(err);
	use_strings(content);
	content->references[0] = 0; /* "" */
	bool any = false;
	for (uint32_t i = 1; i < own->count; i++) {
		struct rs_pool_string *string = &own->strings[i];
		uint32_t there = content->references[i] ? rs_pool_find(table, own->text + string->at, string->length)
							: 0;
		bool has = there && table->strings[there].stands_for == there;
		string->stands_for = content->references[i] && !has ? i : 0;
		content->references[i] = has ? table->strings[there].place : 0;
		any |= string->stands_for == i;
	}
	if (!any)
		return 0;
	if (rs_pool_lay_out(own, &content->strings_size, err) < 0)
		return -1;
	if (content->strings_size > UINT32_MAX - content->table_strings_size)
		return rs_fail(err, ROSSYM_EREFUSED, 0,
			       "the table's strings and those of inlined calls have 4 GiB or more");
	for (uint32_t i = 1; i < own->count; i++)
		if (own->strings[i].stands_for == i)
			content->references[i] = content->table_strings_size + own->strings[i].place;
	return 0;
}

int rs_block_collect(struct rs_block_content *content, struct rossym_error *err)
{
	return number_frames(content, err) < 0 || sort_functions(content, err) < 0 || collect_long(content, err) < 0 ||
			       refer_strings(content, err) < 0
		       ? -1
		       : 0;
}

void rs_block_content_clear(struct rs_block_content *content)
{
	rs_free(content->frame_numbers);
	rs_free(content->frame_order);
	rs_free(content->references);
	rs_free(content->functions);
	rs_free(content->longs);
}
