// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/index.h"
#include "lib/alloc.h"
#include "lib/error.h"

#include <string.h>

static void add_key(struct rs_index *index, uint64_t address, const struct rs_answer *answer,
		    const struct rs_table *table, const char *strings, uint64_t limit)
{
	if (answer->rank == RS_ANSWER_NONE || address >= limit)
		return;
	index->keys[index->count] = (uint32_t)address;
	index->payloads[index->count] = rs_answer_payload(answer, table, strings);
	index->count++;
}

static int add_keys(struct rs_index *index, const struct rs_table *table, const struct rs_source *source,
		    const char *strings, uint64_t limit, struct rossym_error *err)
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
				add_key(index, last, &answer, table, strings, limit);
				rs_answer_start(&answer);
				last = rows[i].address;
			}
			rs_answer_add(&answer, &rows[i], table, strings);
		}
	}
	add_key(index, last, &answer, table, strings, limit);
	return 0;
}

/* Choose blocks so small that there are up to about as many as keys, and note where each begins. */
static int add_blocks(struct rs_index *index, struct rossym_error *err)
{
	index->first = index->keys[0];
	uint32_t span = index->keys[index->count - 1] - index->first;
	index->shift = 0;
	while (span >> index->shift > index->count)
		index->shift++;
	index->block_count = (span >> index->shift) + 1;
	index->blocks = rs_alloc((size_t)index->block_count + 1, sizeof *index->blocks);
	if (!index->blocks)
		return rs_fail_memory(err);

	uint32_t block = 0;
	for (uint32_t i = 0; i < index->count; i++)
		for (uint32_t of = (index->keys[i] - index->first) >> index->shift; block <= of; block++)
			index->blocks[block] = i;
	index->blocks[block] = index->count;
	return 0;
}

int rs_index_build(struct rs_index *index, struct rs_table *table, const struct rs_source *source, uint64_t limit,
		   struct rossym_error *err)
{
	struct rs_index built;
	memset(&built, 0, sizeof built);
	const char *strings = rs_table_strings(table, source, err);
	if (!strings)
		return -1;
	built.keys = rs_alloc(table->row_count, sizeof *built.keys);
	built.payloads = rs_alloc(table->row_count, sizeof *built.payloads);
	if (!built.keys || !built.payloads) {
		rs_fail_memory(err);
		goto fail;
	}
	/* Addresses are 32-bit numbers, in a bare table too. */
	if (limit > (uint64_t)UINT32_MAX + 1)
		limit = (uint64_t)UINT32_MAX + 1;
	if (add_keys(&built, table, source, strings, limit, err) < 0)
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
	rs_free(index->payloads);
	rs_free(index->blocks);
}

int rs_index_lookup(const struct rs_index *index, uint64_t address, struct rs_payload *payload, uint64_t *at)
{
	if (index->count == 0 || address < index->first)
		return 0;
	uint64_t block = (address - index->first) >> index->shift;
	uint32_t low, high;	/* the last key at or below ADDRESS is one of these, or the one before low */
	if (block >= index->block_count) {
		low = high = index->count;
	} else {
		low = index->blocks[block];
		high = index->blocks[block + 1];
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (index->keys[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*payload = index->payloads[low - 1];
	*at = index->keys[low - 1];
	return 1;
}
