// SPDX-License-Identifier: GPL-2.0-or-later
/* whole.c - whole strings in place of those that were cut for the table */
#include "config.h"
#include "lib/image.h"
#include "lib/base/alloc.h"

/* ------------------------------------------------------------------------------------------------ which were cut */

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

/* Read the list of cut strings from the block of TABLE; the block ends at or before END.  Without a block the list is
   empty.  Returns 0 or -1. */
static int read_longs(struct rs_longs *longs, const struct rs_table *table, uint64_t end, struct rossym_error *err)
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

/* Whether the string at OFFSET of the table's strings may have been cut.  False for offset 0, the unknown string. */
static bool may_be_cut(const struct rs_longs *longs, uint32_t offset)
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

/* ------------------------------------------------------------------------------------------------ answers */

/* The values of image->short_state.  NEVER: no answer has kept a cut string.  WRITING: the first thread that gave such
   an answer is writing why_short.  WRITTEN: why_short is valid. */
enum { NEVER, WRITING, WRITTEN };

void rs_frame_make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file)
{
	const char *whole_function = frame->function ? rs_block_whole(block, function) : NULL;
	const char *whole_file = frame->file ? rs_block_whole(block, file) : NULL;
	if (whole_function)
		rs_frame_set_function(frame, whole_function);
	if (whole_file)
		rs_frame_set_file(frame, whole_file);
}

/* Store WHY an answer has a cut string, unless a reason is stored already. */
static void note_cut_string(struct rossym_image *image, const struct rossym_error *why)
{
	int never = NEVER;
	if (!atomic_compare_exchange_strong_explicit(&image->short_state, &never, WRITING, memory_order_relaxed,
						     memory_order_relaxed))
		return;
	image->why_short = *why;
	atomic_store_explicit(&image->short_state, WRITTEN, memory_order_release);
}

void rs_frame_make_whole_if_cut(struct rossym_image *image, struct rossym_frame *frame, uint32_t function,
				uint32_t file)
{
	struct rossym_error err;
	if (!may_be_cut(&image->longs, function) && !may_be_cut(&image->longs, file))
		return;
	const struct rs_block *block = rs_image_block(image, &err);
	if (!block)
		note_cut_string(image, &err);
	else if (block->state == RS_BLOCK_DAMAGED)
		note_cut_string(image, &block->why);
	else
		rs_frame_make_whole(frame, block, function, file);
}

int rs_image_read_longs(struct rossym_image *image, const struct rossym_core *core, struct rossym_error *err)
{
	if (image->wants_whole && read_longs(&image->longs, &core->table, core->content_end, err) < 0)
		return -1;
	image->whole = image->longs.list.count > 0 || image->longs.unclear;
	return 0;
}

int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why)
{
	if (atomic_load_explicit(&image->short_state, memory_order_acquire) != WRITTEN)
		return 0;
	if (why)
		*why = image->why_short;
	return 1;
}

void rs_image_mark_cut(const struct rossym_image *image, struct rs_index *index)
{
	for (uint32_t i = 1; i <= index->rank.count; i++) {
		struct rs_entry_answer *entry = &index->entries[i];
		entry->plain = entry->plain && !may_be_cut(&image->longs, entry->function) &&
			       !may_be_cut(&image->longs, entry->file);
	}
}
