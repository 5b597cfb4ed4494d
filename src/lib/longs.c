// SPDX-License-Identifier: GPL-2.0-or-later
#include "config.h"
#include "lib/longs.h"
#include "lib/alloc.h"
#include "core/bytes.h"
#include "lib/error.h"
#include "core/layout.h"

#include <string.h>

/* The first bytes of a block, and with them a short list. */
enum { WINDOW = 512 };

/* The list is searched for only in so many chunks; without it, every string may have been cut, and the whole block is read. */
enum { MOST_CHUNKS = 16 };

struct search {
	const struct rs_source *source;
	uint64_t offset;	/* of the block */
	uint32_t size;		/* of the block */
	uint8_t buffer[WINDOW];
	const uint8_t *window;
	uint32_t window_size;
	bool first_form;
};

/* LENGTH bytes at AT of the block: in the window, or read into TO.  The caller makes sure that the block has them. */
static const uint8_t *bytes_at(const struct search *search, uint32_t at, uint32_t length, uint8_t *to,
			       struct rossym_error *err)
{
	if (rs_in_range(at, length, search->window_size))
		return search->window + at;
	return rs_source_view(search->source, search->offset + at, length, to, err);
}

/* Lay out the list's columns.  BYTES is the payload, of LENGTH bytes.  False: the widths in it are wrong. */
static bool lay_out(struct rs_columns *list, const struct search *search, const uint8_t *bytes, uint32_t length)
{
	static const uint8_t first_form[RS_LONG_COLUMNS] = { 32, 32 };
	const uint8_t *widths = search->first_form ? first_form : bytes;
	if (!search->first_form && (length < RS_WIDTHS_SIZE || widths[0] > 32 || widths[1] > 32))
		return false;
	return rs_columns_lay_out(list, widths, RS_LONG_COLUMNS) > 0;
}

static int keep_list(struct rs_longs *longs, const struct search *search, uint32_t at, uint32_t length,
		     struct rossym_error *err)
{
	const uint32_t head = search->first_form ? 0 : RS_WIDTHS_SIZE;
	uint8_t *own = length < UINT32_MAX - RS_COLUMNS_SLACK ? rs_alloc((size_t)length + RS_COLUMNS_SLACK, 1) : NULL;
	if (!own)
		return rs_fail_memory(err);
	const uint8_t *bytes = bytes_at(search, at, length, own, err);
	if (!bytes) {
		rs_free(own);
		return -1;
	}
	if (bytes != own)
		memcpy(own, bytes, length);
	longs->own = own;
	longs->unclear = !lay_out(&longs->list, search, own, length);
	longs->list.bytes = own + head;
	longs->list.count = longs->unclear ? 0 : (length - head) / longs->list.size;
	return 0;
}

static int find_list(struct rs_longs *longs, const struct search *search, struct rossym_error *err)
{
	uint32_t at = RS_BLOCK_CHUNKS;
	for (uint32_t i = 0; at < search->size; i++) {
		uint8_t buffer[RS_CHUNK_HEADER];
		uint32_t left = search->size - at;
		if (i == MOST_CHUNKS || left < RS_CHUNK_HEADER) {
			longs->unclear = true;
			return 0;
		}
		const uint8_t *header = bytes_at(search, at, RS_CHUNK_HEADER, buffer, err);
		if (!header)
			return -1;
		uint32_t length = rs_le32(header + 4);
		if (rs_align(length, 4) > left - RS_CHUNK_HEADER) {
			longs->unclear = true;
			return 0;
		}
		at += RS_CHUNK_HEADER;
		if (rs_le32(header) == RS_TAG_LONG)
			return length > 0 ? keep_list(longs, search, at, length, err) : 0;
		at += (uint32_t)rs_align(length, 4);
	}
	return 0;
}

int rs_longs_read(struct rs_longs *longs, const struct rs_table *table, const struct rs_source *source, uint64_t end,
		  struct rossym_error *err)
{
	struct search search = { .source = source, .offset = rs_block_offset(table) };
	*longs = (struct rs_longs){ .own = NULL };
	if (end > source->size)
		end = source->size;
	uint64_t room = search.offset < end ? end - search.offset : 0;
	if (room < RS_BLOCK_LENGTH)
		return 0;
	search.window_size = room < WINDOW ? (uint32_t)room : WINDOW;
	search.window = rs_source_view(source, search.offset, search.window_size, search.buffer, err);
	if (!search.window)
		return -1;
	search.first_form = memcmp(search.window, RS_BLOCK_MAGIC_FIRST, RS_BLOCK_LENGTH) == 0;
	if (!search.first_form && memcmp(search.window, RS_BLOCK_MAGIC, RS_BLOCK_LENGTH) != 0)
		return 0;
	search.size = room < RS_BLOCK_CHUNKS ? 0 : rs_le32(search.window + RS_BLOCK_LENGTH);
	longs->unclear = search.size < RS_BLOCK_CHUNKS || search.size > room ||
			 rs_le32(search.window + RS_BLOCK_ROWS) != table->row_count;
	if (longs->unclear)
		return 0;
	if (search.window_size > search.size)
		search.window_size = search.size;
	return find_list(longs, &search, err);
}

void rs_longs_clear(struct rs_longs *longs)
{
	rs_free(longs->own);
}

bool rs_longs_may_have(const struct rs_longs *longs, uint32_t offset)
{
	if (offset == 0 || longs->unclear)
		return offset != 0;
	uint32_t at = rs_columns_up_to(&longs->list, offset);
	return at > 0 && rs_column(&longs->list, at - 1, RS_LONG_SHORT) == offset;
}
