// SPDX-License-Identifier: GPL-2.0-or-later
/* longs.c - find the list of cut strings in a block, and copy it */
#include "config.h"
#include "lib/table/longs.h"
#include "lib/base/ahead.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

/* The most chunks that are searched for the list.  If a block has more, and the list is not among the first, the block
   counts as damaged: longs->unclear. */
enum { CHUNKS_MAX = 16 };

/* Copy the records of LIST into memory, and store in LONGS a list that reads them there.  Returns 0 or -1. */
static int keep_list(struct rs_longs *longs, struct rs_columns list, struct rossym_error *err)
{
	uint64_t length = (uint64_t)list.count * list.size;
	uint8_t *own = length < UINT32_MAX - RS_RECORD_ROOM ? rs_alloc((size_t)length + RS_RECORD_ROOM, 1) : NULL;
	if (!own)
		return rs_fail_memory(err);
	if (rs_reader_copy(&list.reader, list.offset, (size_t)length, own, err) < 0) {
		rs_free(own);
		return -1;
	}
	list.reader = (struct rossym_reader){ .memory = own, .size = length + RS_RECORD_ROOM };
	list.offset = 0;
	longs->list = list;
	longs->own = own;
	return 0;
}

/* Find the list of cut strings in the block PARTS.  Returns 1, 0 if there is none, or -1. */
static int find_list(const struct rs_parts *parts, struct rs_columns *list, struct rossym_fault *fault)
{
	struct rs_chunk chunk;
	uint32_t at = RS_BLOCK_CHUNKS;
	for (uint32_t i = 0; at < parts->size; i++, at = chunk.next) {
		if (i == CHUNKS_MAX)
			return rs_fault_at(fault, ROSSYM_FAULT_CHUNK_PAST, parts->place + at);
		if (rs_parts_chunk(parts, at, &chunk, fault) < 0)
			return -1;
		if (chunk.tag == RS_TAG_LONG)
			return rs_parts_records(parts, &chunk, RS_LONG_COLUMNS, list, fault) < 0 ? -1 : 1;
	}
	return 0;
}

int rs_longs_read(struct rs_longs *longs, const struct rs_table *table, uint64_t end, struct rossym_error *err)
{
	struct rs_ahead ahead;
	struct rs_ahead_window window;
	struct rs_parts parts;
	struct rs_columns list = { .count = 0 };
	struct rossym_fault fault;
	struct rs_table view = *table;
	*longs = (struct rs_longs){ .own = NULL };
	if (end < rs_block_offset(table) + RS_BLOCK_LENGTH)
		return 0; /* no room for a block, so nothing is read */
	view.reader = rs_ahead_reader(&ahead, &table->reader, &window, 1);
	int found = rs_parts_find(&parts, &view, end, &fault);
	if (found > 0)
		found = find_list(&parts, &list, &fault);
	if (found < 0 && !rs_parts_are_bad(&fault))
		return rs_fail_fault(err, &fault);
	longs->unclear = found < 0;
	return found > 0 && list.count > 0 ? keep_list(longs, list, err) : 0;
}

void rs_longs_clear(struct rs_longs *longs)
{
	rs_free(longs->own);
}

bool rs_longs_may_have(const struct rs_longs *longs, uint32_t offset)
{
	struct rossym_fault unused; /* the list is in memory */
	uint8_t buffer[RS_RECORD_ROOM];
	uint32_t at = 0;
	if (offset == 0 || longs->unclear)
		return offset != 0;
	rs_columns_up_to(&longs->list, offset, &at, &unused);
	return at > 0 &&
	       rs_number(&longs->list, rs_record(&longs->list, at - 1, buffer, &unused), RS_LONG_SHORT) == offset;
}
