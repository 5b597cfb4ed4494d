// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/index.h"
#include "lib/alloc.h"
#include "lib/error.h"
#include "lib/huge.h"
#include "lib/prefetch.h"

/* ------------------------------------------------------------------------------------------------ building */

/* Neighbours mostly have the same strings, so the last length that was measured is the next one too. */
struct measure {
	uint32_t offset;
	uint8_t length;
};

static uint8_t measure(struct measure *last, const char *strings, uint32_t offset)
{
	if (offset != last->offset) {
		const char *string = strings + offset, *end = memchr(string, '\0', RS_SAID_LONG);
		last->offset = offset;
		last->length = end ? (uint8_t)(end - string) : RS_SAID_LONG;
	}
	return last->length;
}

struct builder {
	struct rs_index *index;
	struct rs_view view;
	uint64_t limit;
	struct measure function, file;
};

static void add_key(struct builder *b, uint64_t address, const struct rs_answer *answer)
{
	if (answer->rank == RS_ANSWER_NONE || address >= b->limit)
		return;
	struct rs_payload payload = rs_answer_payload(answer, &b->view);
	struct rs_said said = { .function = payload.function, .file = payload.file, .line = payload.line };
	if (payload.function)
		said.function_length = measure(&b->function, b->view.strings, payload.function);
	if (payload.file)
		said.file_length = measure(&b->file, b->view.strings, payload.file);
	said.plain = payload.function && payload.file && said.function_length < RS_SAID_LONG &&
		     said.file_length < RS_SAID_LONG;
	b->index->keys[b->index->count] = rs_index_key((uint32_t)address);
	b->index->said[b->index->count] = said;
	b->index->count++;
}

static int add_keys(struct builder *b, const struct rs_table *table, const struct rs_source *source,
		    struct rossym_error *err)
{
	struct rs_row rows[RS_ROWS_MAX];
	struct rs_answer answer;
	uint64_t last = 0;
	rs_answer_start(&answer);
	for (uint32_t first = 0, count; first < table->row_count; first += count) {
		count = table->row_count - first < RS_ROWS_MAX ? table->row_count - first : RS_ROWS_MAX;
		if (rs_table_read(table, source, first, count, rows, err) < 0)
			return -1;
		for (uint32_t i = 0; i < count; i++) {
			if (rows[i].address < last)
				return rs_table_fail_order(table, source, err);
			if (rows[i].address > last) {
				add_key(b, last, &answer);
				rs_answer_start(&answer);
				last = rows[i].address;
			}
			rs_answer_add(&answer, &rows[i], &b->view);
		}
	}
	add_key(b, last, &answer);
	for (int i = 0; i < RS_INDEX_STRIDE; i++)
		b->index->keys[b->index->count + (uint32_t)i] = INT32_MAX;
	return 0;
}

/* Choose blocks so small that there are up to half as many as keys: two to four keys a block.  That is two bytes a key,
   which with the 20 of the key itself makes 22. */
static int add_blocks(struct rs_index *index, struct rossym_error *err)
{
	index->first = rs_index_address(index->keys[0]);
	uint32_t span = rs_index_address(index->keys[index->count - 1]) - index->first;
	index->shift = 0;
	while (span >> index->shift > index->count / 2)
		index->shift++;
	index->block_count = (span >> index->shift) + 1;
	index->blocks = rs_alloc((size_t)index->block_count + 2, sizeof *index->blocks);
	if (!index->blocks)
		return rs_fail_memory(err);

	rs_huge(index->blocks, index->block_count * sizeof *index->blocks);
	uint32_t block = 0;
	for (uint32_t i = 0; i < index->count; i++)
		for (uint32_t of = (rs_index_address(index->keys[i]) - index->first) >> index->shift; block <= of; block++)
			index->blocks[block] = i;
	index->blocks[block] = index->blocks[block + 1] = index->count;
	return 0;
}

int rs_index_build(struct rs_index *index, struct rs_table *table, const struct rs_source *source, uint64_t limit,
		   struct rossym_error *err)
{
	struct rs_index built;
	memset(&built, 0, sizeof built);
	built.strings = rs_segments_padded(&table->strings, source, err);
	if (!built.strings)
		return -1;
	/* An address of 2^32 - 1 is found behind the last key, not as one of the numbers there. */
	built.keys = rs_alloc((size_t)table->row_count + RS_INDEX_STRIDE, sizeof *built.keys);
	built.said = rs_alloc(table->row_count, sizeof *built.said);
	if (!built.keys || !built.said) {
		rs_fail_memory(err);
		goto fail;
	}
	rs_huge(built.keys, table->row_count * sizeof *built.keys);
	rs_huge(built.said, table->row_count * sizeof *built.said);
	/* Addresses are 32-bit numbers, in a bare table too. */
	struct builder b = { .index = &built, .view = rs_table_view(table, built.strings),
			     .limit = limit < (uint64_t)UINT32_MAX + 1 ? limit : (uint64_t)UINT32_MAX + 1 };
	if (add_keys(&b, table, source, err) < 0)
		goto fail;
	if (built.count > 0 && add_blocks(&built, err) < 0)
		goto fail;
	*index = built;
	return 0;
fail:
	rs_index_clear(&built);
	return -1;
}

void rs_index_clear(struct rs_index *index)
{
	rs_free(index->keys);
	rs_free(index->said);
	rs_free(index->blocks);
}

/* ------------------------------------------------------------------------------------------------ searching */

/* How many of COUNT keys are at or below KEY: where many addresses crowd into a block. */
static uint32_t divide(const int32_t *keys, uint32_t count, int32_t key)
{
	uint32_t low = 0;
	while (low < count) {
		uint32_t middle = low + (count - low) / 2;
		if (keys[middle] <= key)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static uint32_t count_up_to(const int32_t *keys, int32_t key)
{
	int32_t above = 0;
	for (int i = 0; i < RS_INDEX_STRIDE; i++)
		above += keys[i] > key;
	return RS_INDEX_STRIDE - (uint32_t)above;
}

void rs_index_find(const struct rs_index *index, const uint32_t *addresses, size_t count, uint32_t *below)
{
	const uint32_t first = index->first, block_count = index->block_count, *blocks = index->blocks;
	const unsigned shift = index->shift;
	const int32_t *keys = index->keys;
	const struct rs_said *said = index->said;
	uint32_t starts[RS_INDEX_BATCH];
	if (index->count == 0) {
		for (size_t i = 0; i < count; i++)
			below[i] = 0;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		uint32_t block = (addresses[i] - first) >> shift;
		below[i] = block < block_count ? block : block_count;
		rs_prefetch(&blocks[below[i]]);
	}
	for (size_t i = 0; i < count; i++) {
		starts[i] = blocks[below[i]];
		rs_prefetch(&keys[starts[i]]);
		rs_prefetch(&keys[starts[i] + RS_INDEX_STRIDE - 1]);
	}
	for (size_t i = 0; i < count; i++) {
		const int32_t key = rs_index_key(addresses[i]);
		uint32_t n = count_up_to(keys + starts[i], key);
		/* Keys behind the block are greater; but perhaps not all of the block's have been counted. */
		if (n == RS_INDEX_STRIDE)
			n = divide(keys + starts[i], blocks[below[i] + 1] - starts[i], key);
		n += starts[i];
		below[i] = addresses[i] < first ? 0 : n;
		rs_prefetch(&said[n - (n > 0)]);
	}
}
