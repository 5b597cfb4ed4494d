// SPDX-License-Identifier: GPL-2.0-or-later
/* inlined.c - the public functions about the block: the frames of inlined calls, and functions, also by name */
#include "config.h"
#include "lib/image.h"
#include "core/layout.h"
#include "core/lookup.h"
#include "lib/base/error.h"
#include "lib/table/table-rows.h"

#include <inttypes.h>
#include <string.h>

int rossym_read_block(struct rossym_image *image, struct rossym_block *ret, struct rossym_error *err)
{
	/* If RET is NULL, the caller needs no facts, so do not unpack the whole table now.  Return 1, because a packed
	   table always has a block, which contains the packed rows. */
	if (!ret && image->partial && !image->demand) {
		image->expects_frames = true;
		return 1;
	}
	if ((ret && rs_sized_check(ret, sizeof *ret, err) < 0) || rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	const struct rs_block *block = rs_image_get_block(image, err);
	if (!block)
		return -1;
	if (block->state == RS_BLOCK_ABSENT)
		return 0;
	if (block->state == RS_BLOCK_DAMAGED)
		return rs_fail_with(err, &block->why);
	const struct rossym_block facts = {
		.offset = block->parts.place,
		.length = block->parts.size,
		.frames = block->parts.frames.count,
		.runs = block->parts.runs.count,
		.functions = block->parts.functions.count,
		.long_strings = block->parts.longs.count,
		.strings_size = block->parts.strings.length,
		.entry_outer = block->parts.inner,
		.names = block->names.count,
	};
	if (ret)
		rs_sized_fill(ret, &facts, sizeof facts);
	return 1;
}

/* The values of rossym_frames.state.  OWN_LEFT: the row's own frame will still be returned.  OWN_DONE: it was returned.
   KEPT: the frames are those of an answer in image->kept. */
enum { FRAMES_OWN_LEFT, FRAMES_OWN_DONE, FRAMES_KEPT };

/* Set FRAMES to the first frame of a row, whose own frame is frames->entry.  ROW has the number of the row, and the
   offsets of its strings in the table.  ROW is NULL if BLOCK is not sound or the row is unknown; then frames->entry is
   the only frame. */
static void set_first_frame(struct rossym_frames *frames, const struct rs_block *block,
			    const struct rossym_core_answer *row)
{
	struct rossym_fault unused; /* reading the block cannot fail, because it is in memory */
	frames->next = RS_BLOCK_NONE;
	frames->state = FRAMES_OWN_LEFT;
	if (!row)
		return;
	if (block->parts.longs.count > 0)
		rs_frame_make_whole(&frames->entry, block, (uint32_t)row->function, (uint32_t)row->file);
	rs_parts_find_chain(&block->parts, block->table, row->row, &frames->next, &unused);
}

/* Store in *ANSWER the number of the row of FRAME, which a look-up has returned, and the offsets of its strings in the
   table.  Returns 1; 0 if no look-up can have returned FRAME; or -1. */
static int find_answer_of_frame(struct rossym_image *image, const struct rossym_frame *frame,
				struct rossym_core_answer *answer, struct rossym_error *err)
{
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	struct rossym_fault fault;
	if (index) {
		const uint32_t rank = rs_rank_find(&index->rank, frame->row_rva, &answer->row_rva);
		const struct rs_entry_answer *entry = &index->entries[rank];
		answer->function = entry->function;
		answer->file = entry->file;
		answer->row = index->rows[rank];
		return rank > 0;
	}
	const int found = rs_core_lookup(&image->core, frame->row_rva, ROSSYM_LOOKUP_DATA, UINT32_MAX, answer, &fault);
	return found < 0 ? rs_fail_fault(err, &fault) : found;
}

int rossym_frames_begin(struct rossym_image *image, const struct rossym_frame *frame, struct rossym_frames *frames,
			struct rossym_error *err)
{
	const struct rs_kept_answer *kept = rs_kept_find_answer_of_frame(&image->kept, frame);
	frames->image = image;
	frames->entry = *frame;
	if (kept) {
		frames->next = kept->first;
		frames->reserved[0] = kept->first + kept->frame_count;
		frames->state = FRAMES_KEPT;
		return 0;
	}
	const struct rs_block *block = image->partial ? NULL : rs_image_get_block(image, err);
	if (!block && !image->partial)
		return -1;
	struct rossym_core_answer answer;
	const int found = block && block->state == RS_BLOCK_SOUND ? find_answer_of_frame(image, frame, &answer, err)
								  : 0;
	if (found < 0)
		return -1;
	set_first_frame(frames, block, found > 0 ? &answer : NULL);
	return 0;
}

int rossym_frames_begin_row(struct rossym_image *image, uint32_t number, struct rossym_frames *frames,
			    struct rossym_error *err)
{
	if (rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	if (number >= image->core.table.row_count)
		return rs_fail(err, ROSSYM_EREFUSED, 0, "there is no row %" PRIu32, number);
	const struct rs_block *block = rs_image_get_block(image, err);
	const struct rs_table *table = &image->core.table;
	const char *strings = block ? rs_table_strings_get_padded(&image->strings, err) : NULL;
	struct rs_row row;
	if (!strings || rs_table_read_rows(table, number, 1, &row, err) < 0)
		return -1;
	const char *function = rs_table_string(table, strings, row.function);
	const char *file = rs_table_string(table, strings, row.file);
	if (!function || !file)
		return rs_fail(err, ROSSYM_EDAMAGED, table->offset, "row %" PRIu32 " has strings outside the table",
			       number);
	const struct rossym_core_answer answer = { .function = row.function, .file = row.file, .row = number };
	frames->image = image;
	frames->entry = (struct rossym_frame){ .line = row.line, .row_rva = (uint32_t)row.address };
	rs_frame_set_function(&frames->entry, function);
	rs_frame_set_file(&frames->entry, file);
	set_first_frame(frames, block, block->state == RS_BLOCK_SOUND ? &answer : NULL);
	return 0;
}

int rossym_frames_next(struct rossym_frames *frames, struct rossym_frame *ret)
{
	struct rossym_image *image = frames->image;
	if (frames->state == FRAMES_KEPT) {
		if (frames->next == frames->reserved[0])
			return 0;
		*ret = image->kept.frames[frames->next++];
		return 1;
	}
	/* Inner frames of a chain come before the frame of the row, outer frames after it. */
	const struct rs_block *block = atomic_load_explicit(&image->block, memory_order_acquire);
	if (frames->state == FRAMES_OWN_LEFT && (frames->next == RS_BLOCK_NONE || !block->parts.inner)) {
		frames->state = FRAMES_OWN_DONE;
		*ret = frames->entry;
		return 1;
	}
	if (frames->next == RS_BLOCK_NONE)
		return 0;
	frames->next = rs_block_get_frame(block, frames->next, ret);
	ret->row_rva = frames->entry.row_rva;
	return 1;
}

void rossym_functions_begin(struct rossym_image *image, struct rossym_functions *functions)
{
	functions->image = image;
	functions->next = functions->next_name = 0;
}

int rossym_functions_next(struct rossym_functions *functions, struct rossym_function *ret, struct rossym_error *err)
{
	struct rossym_image *image = functions->image;
	const struct rs_block *block = rs_image_ensure_all_rows(image, err) < 0 ? NULL : rs_image_get_block(image, err);
	if (!block)
		return -1;
	struct rs_block_func next;
	if (!rs_block_next_function(block, &functions->next, &functions->next_name, &next))
		return 0;
	*ret = rs_block_convert_function(block, next, 1);
	return 1;
}

int rossym_function_at(struct rossym_image *image, uint64_t rva, struct rossym_function *ret, struct rossym_error *err)
{
	if (rs_image_ensure_answers(image, &rva, 1, err) < 0)
		return -1;
	if (image->partial) {
		const struct rs_kept_answer *kept = rs_kept_find_answer(&image->kept, rva);
		if (!kept || !kept->function.name)
			return 0;
		*ret = kept->function;
		return 1;
	}
	const struct rs_chains *chains = atomic_load_explicit(&image->chains, memory_order_acquire);
	uint32_t entry = 0, rank = chains ? rs_rank_find(&chains->index->rank, rva, &entry) : 0;
	uint32_t number = rank > 0 && entry == rva ? chains->function_at[rank] : RS_CHAINS_MANY_FUNCTIONS;
	if (number == 0)
		return 0;
	if (number != RS_CHAINS_MANY_FUNCTIONS) {
		*ret = chains->functions[number - 1];
		return 1;
	}
	const struct rs_block *block = rs_image_get_block(image, err);
	struct rossym_fault unused; /* reading the block cannot fail, because it is in memory */
	struct rs_block_func found;
	uint32_t places;
	if (!block)
		return -1;
	if (rs_parts_find_function_at(&block->parts, rva, &found, &places, &unused) <= 0)
		return 0;
	*ret = rs_block_convert_function(block, found, places);
	return 1;
}

/* ------------------------------------------------------------------------------------------------ functions by name */

/* Find NAME among the names of the functions of BLOCK or, if BLOCK is NULL, among those in rows.  PLACE points to the
   image's index of these names, which is built first if necessary.  STRINGS has all strings of the table, or is NULL
   after an error.  Returns what rs_names_find() does, or -1. */
static int find_in_index_of_names(struct rossym_image *image, RS_ATOMIC(struct rs_names *) * place, const char *strings,
				  const struct rs_block *block, const char *name, struct rossym_function *function,
				  struct rossym_error *err)
{
	struct rs_names *names = atomic_load_explicit(place, memory_order_acquire), *published = NULL;
	if (!names && strings) {
		names = rs_names_build(&image->core.table, strings, block,
				       rs_image_is_bare(image) ? NULL : &image->core.pe, err);
		if (names)
			names = RS_PUBLISH(place, names, published, rs_names_free);
	}
	return names ? rs_names_find(names, name, !image->core.pe.wide, function) : -1;
}

/* Do what rossym_find_function() does, but without stripping RS_OWN_SECTION from NAME.  IMAGE must have all rows. */
static int find_best_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			      struct rossym_error *err)
{
	struct rossym_function other;
	const struct rs_block *block = rs_image_get_block(image, err);
	int found = 0;
	if (!block)
		return -1;
	if (block->parts.functions.count + (uint64_t)block->names.count > 0)
		found = find_in_index_of_names(image, &image->block_names, block->table_strings, block, name, function,
					       err);
	if (found < 0 || found == RS_NAMES_EXACT)
		return found < 0 ? -1 : 1;
	/* A function that was inlined everywhere has its name in rows only, and that name may fit better. */
	const char *strings = rs_table_strings_get_whole(&image->strings, err);
	const int found_in_rows = find_in_index_of_names(image, &image->names, strings, NULL, name, &other, err);
	if (found_in_rows < 0)
		return -1;
	if (found_in_rows > found)
		*function = other;
	return found_in_rows > 0 || found > 0;
}

int rossym_find_function(struct rossym_image *image, const char *name, struct rossym_function *function,
			 struct rossym_error *err)
{
	static const char prefix[] = RS_OWN_SECTION;
	if (rs_check_name(name, err) < 0 || rs_image_ensure_all_rows(image, err) < 0)
		return -1;
	int found = find_best_function(image, name, function, err);
	if (found == 0 && strncmp(name, prefix, sizeof prefix - 1) == 0)
		found = find_best_function(image, name + sizeof prefix - 1, function, err);
	return found;
}
