// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * image.c - makes the block and the index of an image when they are first needed; replaces strings that are cut in the
 * table by the whole ones in the block; the public functions that close an image and return its facts, and that free
 * what the library allocated for its caller
 */
#include "config.h"
#include "lib/image.h"
#include "lib/base/alloc.h"
#include "lib/base/error.h"

const char *rossym_version(void)
{
	return PACKAGE_VERSION;
}

void rossym_free(void *memory)
{
	rs_free(memory);
}

void rossym_close(struct rossym_image *image)
{
	if (!image)
		return;
	if (image->demand && image->demand->end)
		image->demand->end(image->demand->context);
	rs_free(image->demand);
	rs_kept_clear(&image->kept);
	rs_names_free(atomic_load_explicit(&image->names, memory_order_relaxed));
	rs_names_free(atomic_load_explicit(&image->block_names, memory_order_relaxed));
	rs_chains_free(atomic_load_explicit(&image->chains, memory_order_relaxed));
	rs_block_free(atomic_load_explicit(&image->block, memory_order_relaxed));
	rs_free(image->longs.own);
	rs_index_free(atomic_load_explicit(&image->index, memory_order_relaxed));
	rs_table_strings_clear(&image->strings);
	rs_made_clear(&image->made);
	rs_pe_clear(&image->core.pe);
	rs_source_close(&image->file);
	rs_free(image);
}

int rossym_get_info(const struct rossym_image *image, struct rossym_info *ret, struct rossym_error *err)
{
	const struct rs_pe *pe = &image->core.pe;
	const struct rs_table *table = &image->core.table;
	const struct rossym_info info = {
		.kind = image->core.kind,
		.machine = pe->machine,
		.time_date_stamp = pe->time_date_stamp,
		.image_base = pe->image_base,
		.size_of_image = pe->size_of_image,
		.sections = pe->section_count,
		.rows = table->row_count,
		.row_size = table->row_size,
		.table_offset = image->made.table ? image->packed_offset : table->offset,
		.strings_size = table->strings.length,
		.symbols = pe->symbol_count,
		.debug_file = image->demand ? image->demand->debug_file : NULL,
		.opens_files = image->demand && image->demand->opens_files,
	};
	if (rs_sized_check(ret, sizeof info, err) < 0)
		return -1;
	rs_sized_fill(ret, &info, sizeof info);
	return 0;
}

int rs_image_open_table(const struct rossym_image *image, const void *table, size_t size, struct rossym_core *core,
			struct rossym_error *err)
{
	const struct rossym_reader reader = { .memory = table, .size = size };
	struct rossym_core bare;
	struct rossym_fault fault;
	if (rs_core_open_bare_table(&bare, &reader, image->core.pe.wide, &fault) < 0)
		return rs_fail_fault(err, &fault);
	bare.kind = image->core.kind;
	bare.pe = image->core.pe;
	*core = bare;
	return 0;
}

const struct rs_block *rs_image_get_block(struct rossym_image *image, struct rossym_error *err)
{
	struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire), *published = NULL;
	if (block)
		return block;
	block = rs_block_read(&image->core.table, &image->strings, image->core.section_end, err);
	return block ? RS_PUBLISH(&image->block, block, published, rs_block_free) : NULL;
}

/* ---------------------------------------------------------------------------------------- which strings were cut */

/* The most chunks that are searched for the list of cut strings.  If a block has more chunks, and the list is not among
   the first, the block counts as damaged, and longs->unclear is set. */
enum { CHUNKS_MAX = 16 };

/* Copy the records of LIST to memory.  Store in LONGS the copy, and LIST changed to read it.  Returns 0 or -1. */
static int copy_cut_list(struct rs_longs *longs, struct rs_columns list, struct rossym_error *err)
{
	const uint64_t length = (uint64_t)list.count * list.size;
	longs->own = rs_reader_duplicate(&list.reader, list.offset, length, RS_RECORD_ROOM, err);
	if (!longs->own)
		return -1;
	list.reader = (struct rossym_reader){ .memory = longs->own, .size = length + RS_RECORD_ROOM };
	list.offset = 0;
	longs->parts.longs = list;
	return 0;
}

/* Store in *LIST the list of cut strings in the block PARTS.  Returns 1; 0 if there is none; or -1 with *FAULT. */
static int find_cut_list(const struct rs_parts *parts, struct rs_columns *list, struct rossym_fault *fault)
{
	struct rs_chunk chunk;
	uint32_t at = RS_BLOCK_CHUNKS;
	for (uint32_t i = 0; at < parts->size; i++, at = chunk.next) {
		if (i == CHUNKS_MAX)
			return rs_fault_store_at(fault, ROSSYM_FAULT_CHUNK_PAST, parts->place + at);
		if (rs_parts_read_chunk_header(parts, at, &chunk, fault) < 0)
			return -1;
		if (chunk.tag == RS_TAG_LONG)
			return rs_parts_lay_out_records(parts, &chunk, RS_LONG_COLUMNS, list, fault) < 0 ? -1 : 1;
	}
	return 0;
}

/* Whether the string at OFFSET of the table's strings may have been cut.  False for offset 0, the unknown string. */
static bool may_be_cut(const struct rossym_image *image, uint32_t offset)
{
	const struct rs_longs *longs = &image->longs;
	struct rossym_fault unused; /* reading the list cannot fail, because it is in memory */
	uint32_t whole;
	return offset != 0 &&
	       (longs->unclear || rs_parts_find_whole_string(&longs->parts, offset, &whole, &unused) > 0);
}

int rs_image_read_cut_list(struct rossym_image *image, const struct rossym_core *core, struct rossym_error *err)
{
	struct rs_ahead ahead;
	struct rs_ahead_window window;
	struct rs_parts parts;
	struct rs_columns list = { .count = 0 };
	struct rossym_fault fault;
	struct rs_table view = core->table;
	/* If there is no room for a block, nothing is read. */
	if (!image->wants_whole || core->content_end < rs_block_offset(&view) + RS_BLOCK_LENGTH)
		return 0;
	view.reader = rs_ahead_reader(&ahead, &core->table.reader, &window, 1);
	int found = rs_parts_find_block(&parts, &view, core->content_end, &fault);
	if (found > 0)
		found = find_cut_list(&parts, &list, &fault);
	if (found < 0 && !rs_fault_is_of_block(&fault))
		return rs_fail_fault(err, &fault);
	image->longs.unclear = found < 0;
	image->whole = found < 0 || list.count > 0;
	return found > 0 && list.count > 0 ? copy_cut_list(&image->longs, list, err) : 0;
}

/* ------------------------------------------------------------------------------------------------ whole strings */

/* The values of image->short_state.  NEVER: no answer has kept a cut string.  WRITING: the first thread with such an
   answer is writing image->why_short.  WRITTEN: image->why_short is valid. */
enum { NEVER, WRITING, WRITTEN };

/* Returns the whole form of the string at OFFSET of the table's strings; NULL if that string was not cut. */
static const char *find_whole_string(const struct rs_block *block, uint32_t offset)
{
	struct rossym_fault unused; /* reading the block cannot fail, because it is in memory */
	uint32_t reference = 0;
	if (rs_parts_find_whole_string(&block->parts, offset, &reference, &unused) <= 0)
		return NULL;
	const char *whole = rs_block_get_string(block, reference);
	return *whole ? whole : NULL; /* an empty string cannot be the whole form of a cut one */
}

void rs_frame_make_whole(struct rossym_frame *frame, const struct rs_block *block, uint32_t function, uint32_t file)
{
	const char *whole_function = frame->function ? find_whole_string(block, function) : NULL;
	const char *whole_file = frame->file ? find_whole_string(block, file) : NULL;
	if (whole_function)
		rs_frame_set_function(frame, whole_function);
	if (whole_file)
		rs_frame_set_file(frame, whole_file);
}

/* Store WHY, the reason why an answer has kept a cut string, unless a reason is stored already. */
static void store_why_short(struct rossym_image *image, const struct rossym_error *why)
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
	if (!may_be_cut(image, function) && !may_be_cut(image, file))
		return;
	const struct rs_block *block = rs_image_get_block(image, &err);
	if (!block)
		store_why_short(image, &err);
	else if (block->state == RS_BLOCK_DAMAGED)
		store_why_short(image, &block->why);
	else
		rs_frame_make_whole(frame, block, function, file);
}

int rossym_stayed_short(const struct rossym_image *image, struct rossym_error *why)
{
	if (atomic_load_explicit(&image->short_state, memory_order_acquire) != WRITTEN)
		return 0;
	if (why)
		*why = image->why_short;
	return 1;
}

/* ------------------------------------------------------------------------------------------------ index, chains */

/* Clear `plain` (index.h) in each answer of INDEX that has a string which may have been cut. */
static void mark_cut_answers(const struct rossym_image *image, struct rs_index *index)
{
	for (uint32_t i = 1; i <= index->rank.count; i++) {
		struct rs_entry_answer *entry = &index->entries[i];
		entry->plain = entry->plain && !may_be_cut(image, entry->function) && !may_be_cut(image, entry->file);
	}
}

const struct rs_index *rs_image_get_index(struct rossym_image *image, struct rossym_error *err)
{
	const struct rs_pe *pe = !rs_image_is_bare(image) && image->core.pe.ordered ? &image->core.pe : NULL;
	struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire), *published = NULL;
	if (index)
		return index;
	const char *strings = rs_table_strings_get_padded(&image->strings, err);
	index = strings ? rs_index_build(&image->core.table, strings, pe, err) : NULL;
	if (!index)
		return NULL;
	if (image->whole)
		mark_cut_answers(image, index);
	return RS_PUBLISH(&image->index, index, published, rs_index_free);
}

void rs_image_make_chains_if_useful(struct rossym_image *image, uint64_t expected)
{
	const struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire);
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	struct rs_chains *chains = atomic_load_explicit(&image->chains, memory_order_relaxed), *published = NULL;
	if (chains || image->no_chains || !block || block->state != RS_BLOCK_SOUND || !index ||
	    expected < rs_chains_get_break_even(block, index->rank.count))
		return;
	chains = rs_chains_make(block, index);
	image->no_chains = !chains;
	(void)RS_PUBLISH(&image->chains, chains, published, rs_chains_free);
}
