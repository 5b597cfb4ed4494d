// SPDX-License-Identifier: GPL-2.0-or-later
/* lookups.c - the public functions that look up addresses */
#include "config.h"
#include "lib/image.h"
#include "core/layout.h"
#include "core/lookup.h"
#include "lib/base/error.h"

#include <limits.h>

/* ------------------------------------------------------------------------------------------ entries of the index */

/* Fill FRAME from ENTRY, an answer that begins at address AT.  It need not be plain (index.h): its strings may be
   unknown, cut in the table, or so long that ENTRY does not have their lengths. */
static void fill_any_frame(struct rossym_image *image, const struct rs_index *index,
			   const struct rs_entry_answer *entry, uint32_t at, struct rossym_frame *frame)
{
	frame->line = entry->line;
	frame->function = entry->function ? index->strings + entry->function : NULL;
	frame->file = entry->file ? index->strings + entry->file : NULL;
	frame->row_rva = at;
	frame->function_length = rs_index_string_length(index, entry->function, entry->function_length);
	frame->file_length = rs_index_string_length(index, entry->file, entry->file_length);
	if (image->whole)
		rs_frame_make_whole_if_cut(image, frame, entry->function, entry->file);
}

/* Fill FRAME from ENTRY, a plain answer (index.h) that begins at address AT.  Prefetches the strings. */
static inline void fill_plain_frame(const char *strings, const struct rs_entry_answer *entry, uint32_t at,
				    struct rossym_frame *frame)
{
	frame->function = strings + entry->function;
	frame->file = strings + entry->file;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
	frame->line = entry->line;
	frame->row_rva = at;
	frame->function_length = entry->function_length;
	frame->file_length = entry->file_length;
}

/* Whether ENTRY answers a look-up with FLAGS: it has a function, a file or a line, and it is about code unless FLAGS
   ask for data, too. */
static inline bool is_answer_for_flags(const struct rs_entry_answer *entry, unsigned flags)
{
	return (entry->function | entry->file | entry->line) && (!entry->data || (flags & ROSSYM_LOOKUP_DATA));
}

/* Fill FRAME from ENTRY, an answer that begins at address AT.  FRAME becomes all zeros if ENTRY does not answer a
   look-up with FLAGS. */
static inline void fill_frame(struct rossym_image *image, const struct rs_index *index,
			      const struct rs_entry_answer *entry, uint32_t at, unsigned flags,
			      struct rossym_frame *frame)
{
	if (entry->plain)
		fill_plain_frame(index->strings, entry, at, frame);
	else if (is_answer_for_flags(entry, flags))
		fill_any_frame(image, index, entry, at, frame);
	else
		*frame = (struct rossym_frame){ .function = NULL };
}

/* ------------------------------------------------------------------------------------------------ answers */

/* Clear those of FRAMES that are wrong answers of the index for RVAS: answers for addresses of more than 32 bits; and,
   if sections overlap or are unordered, so that the index ignores them, answers of rows in another section. */
static void remove_wrong_answers(const struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
				 struct rossym_frame *frames)
{
	const bool overlapping = rs_image_needs_sections(image);
	for (size_t i = 0; i < count; i++) {
		struct rossym_fault fault; /* never set, because the sections are in memory */
		if (rvas[i] > UINT32_MAX ||
		    (overlapping && rs_core_may_answer(&image->core, rvas[i], flags, frames[i].row_rva, &fault) <= 0))
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH, in INDEX, and store their answers in FRAMES. */
static void look_up_in_index(struct rossym_image *image, const struct rs_index *index, const uint64_t *rvas,
			     size_t count, unsigned flags, struct rossym_frame *frames)
{
	uint32_t ranks[RS_INDEX_BATCH], rows[RS_INDEX_BATCH];
	uint64_t all = 0;
	rs_index_find_ranks(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++) {
		all |= rvas[i];
		fill_frame(image, index, &index->entries[ranks[i]], rows[i], flags, &frames[i]);
	}
	if (all > UINT32_MAX || rs_image_needs_sections(image))
		remove_wrong_answers(image, rvas, count, flags, frames);
}

struct rossym_frame rs_image_look_up(struct rossym_image *image, const struct rs_index *index, uint64_t rva,
				     unsigned flags)
{
	struct rossym_frame frame;
	look_up_in_index(image, index, &rva, 1, flags, &frame);
	return frame;
}

/* Do what rossym_lookup() does, for an IMAGE that has no whole table yet, but has kept answers. */
static int look_up_kept_answer(const struct rossym_image *image, uint64_t rva, unsigned flags,
			       struct rossym_frame *frame)
{
	const struct rs_kept_answer *kept = rs_kept_find_answer(&image->kept, rva);
	struct rossym_fault fault; /* never set, because the sections are in memory */
	if (!kept || kept->frame_count == 0 ||
	    rs_core_may_answer(&image->core, rva, flags, kept->frame.row_rva, &fault) <= 0)
		return 0;
	*frame = kept->frame;
	return 1;
}

/* Do what rossym_lookup() does, with the kept answers, the index, or the rows in the file. */
static int look_up_address(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
			   struct rossym_error *err)
{
	enum { ROWS_MAX = 1024 }; /* the most rows that are read; a look-up needs more only in a hostile table */
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	struct rossym_core_answer answer;
	struct rossym_fault fault;
	if (image->partial)
		return look_up_kept_answer(image, rva, flags, frame);
	const int found = index ? RS_LOOKUP_FAR : rs_core_lookup(&image->core, rva, flags, ROWS_MAX, &answer, &fault);
	if (found == RS_LOOKUP_FAR) {
		index = rs_image_get_index(image, err);
		if (!index)
			return -1;
		const struct rossym_frame indexed = rs_image_look_up(image, index, rva, flags);
		const bool known = rs_frame_is_known(&indexed);
		if (known)
			*frame = indexed;
		return known;
	}
	if (found <= 0)
		return found < 0 ? rs_fail_fault(err, &fault) : 0;
	/* A row refers only to strings of the table, never of the block, so these are offsets of 32 bits. */
	const uint32_t at_function = (uint32_t)answer.function, at_file = (uint32_t)answer.file;
	const char *function = at_function ? rs_table_strings_get_one(&image->strings, at_function, err) : "";
	const char *file = at_file ? rs_table_strings_get_one(&image->strings, at_file, err) : "";
	if (!function || !file)
		return -1;
	rs_frame_set_function(frame, function);
	rs_frame_set_file(frame, file);
	frame->line = answer.line;
	frame->row_rva = answer.row_rva;
	if (image->whole)
		rs_frame_make_whole_if_cut(image, frame, at_function, at_file);
	return 1;
}

int rossym_lookup(struct rossym_image *image, uint64_t rva, unsigned flags, struct rossym_frame *frame,
		  struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_ensure_answers(image, &rva, 1, err) < 0)
		return -1;
	return look_up_address(image, rva, flags, frame, err);
}

int rossym_lookup_many(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
		       struct rossym_frame *frames, struct rossym_error *err)
{
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_ensure_answers(image, rvas, count, err) < 0)
		return -1;
	const struct rs_index *index = atomic_load_explicit(&image->index, memory_order_acquire);
	if (index) {
		for (size_t done = 0, step; done < count; done += step) {
			step = count - done < RS_INDEX_BATCH ? count - done : RS_INDEX_BATCH;
			look_up_in_index(image, index, rvas + done, step, flags, frames + done);
		}
		return 0;
	}
	for (size_t i = 0; i < count; i++) {
		int found = look_up_address(image, rvas[i], flags, &frames[i], err);
		if (found < 0)
			return -1;
		if (found == 0)
			frames[i] = (struct rossym_frame){ .function = NULL };
	}
	return 0;
}

/* --------------------------------------------------------------------------------------- look-ups by chains */

/* The fast path of look-ups that return all frames, in an image with chains (table/chains.h).  It does each step for
   many addresses before the next step, and prefetches what the next step reads.  The reference path, which is simpler,
   is look_up_without_chains(): it reads the frames of one answer after the other from the block.  With it, a million
   addresses with -f -i take 3.5 times as long.  tests/core/unit-block.c checks that both give equal frames. */

/* The arrays that rossym_lookup_frames() fills, and how far they are filled. */
struct rs_frame_store {
	struct rossym_frame *frames;
	uint32_t used, room; /* how many frames are stored, and how many fit */
	uint32_t *ends;	     /* the next element to fill: for each address, the index after its last frame */
};

/* Store END, the index after the last frame of an address whose frames are all stored.  Returns true. */
static inline bool rs_frame_store_end(struct rs_frame_store *store, uint32_t end)
{
	*store->ends++ = store->used = end;
	return true;
}

/* The answer for an address: that of its rows, and its chain in the block.  store_frames() makes frames of both. */
struct raw_answer {
	const struct rs_entry_answer *entry;
	uint32_t first; /* the number of the chain's first frame in the block, or chains->none */
};

/* Store in RAWS the answers for COUNT addresses, at most RS_INDEX_BATCH, and in ROWS the address where each begins. */
static void find_raw_answers(const struct rs_chains *chains, const uint64_t *rvas, size_t count, unsigned flags,
			     struct raw_answer *raws, uint32_t *rows)
{
	const struct rs_index *index = chains->index;
	uint32_t ranks[RS_INDEX_BATCH];
	rs_index_find_ranks(index, rvas, count, ranks, rows);
	for (size_t i = 0; i < count; i++)
		rs_prefetch(&chains->frame_at[ranks[i]]);
	for (size_t i = 0; i < count; i++) {
		/* The entry of rank 0 says "unknown". */
		const struct rs_entry_answer *entry = &index->entries[rvas[i] <= UINT32_MAX ? ranks[i] : 0];
		raws[i] = (struct raw_answer){ entry, is_answer_for_flags(entry, flags) ? chains->frame_at[ranks[i]]
											: chains->none };
		rs_prefetch(&chains->frames[raws[i].first]);
	}
}

static inline void store_frame(struct rossym_frame *ret, const struct rossym_frame *frame, uint32_t row_rva)
{
	*ret = *frame;
	ret->row_rva = row_rva;
	rs_prefetch(frame->function);
	rs_prefetch(frame->file);
}

/* Store the frames of the answer RAW, which begins at the address ROW, in *TO.  Returns false if they do not fit. */
static inline bool store_frames(struct rossym_image *image, const struct rs_chains *chains, struct raw_answer raw,
				uint32_t row, unsigned flags, struct rs_frame_store *to)
{
	const struct rs_block *block = chains->block;
	const bool inner = block->parts.inner; /* the row's frame is the outermost one; else it is the innermost */
	struct rossym_frame *const ret = to->frames;
	const uint32_t begin = to->used, room = to->room;
	uint32_t end = inner ? begin : begin + 1, frame = raw.first;
	/* About half of the answers have a frame in the block, so processors would often mispredict a branch here.  So
	   frames[none] is stored like any other frame, and the frame that is stored next overwrites it. */
	if (end < room)
		store_frame(&ret[end], &chains->frames[frame], row);
	end += frame != chains->none;
	while ((frame = chains->frames[frame].row_rva) != RS_BLOCK_NONE && end < room)
		store_frame(&ret[end++], &chains->frames[frame], row);
	if (frame != RS_BLOCK_NONE || end + inner > room)
		return false;
	struct rossym_frame *own = &ret[inner ? end++ : begin];
	fill_frame(image, chains->index, raw.entry, row, flags, own);
	if (block->parts.longs.count > 0 && !image->whole)
		rs_frame_make_whole(own, block, raw.entry->function, raw.entry->file);
	return rs_frame_store_end(to, end);
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH, by CHAINS.  Returns for how many addresses the frames were stored in
   *TO: fewer than COUNT if the frames of the next address do not fit. */
static int look_up_in_chains(struct rossym_image *image, const struct rs_chains *chains, const uint64_t *rvas,
			     int count, unsigned flags, struct rs_frame_store *to)
{
	struct raw_answer raws[RS_INDEX_BATCH];
	uint32_t rows[RS_INDEX_BATCH];
	find_raw_answers(chains, rvas, (size_t)count, flags, raws, rows);
	for (int i = 0; i < count; i++)
		if (to->used >= to->room || !store_frames(image, chains, raws[i], rows[i], flags, to))
			return i;
	return count;
}

/* ------------------------------------------------------------------------------------ look-ups of all frames */

/* Check at compile time that the two limits agree: an address has the frame of its row and those of its chain.  If they
   disagreed, this would divide by 0, which compilers refuse. */
enum { LIMITS_FIT = 1 / (ROSSYM_FRAMES_MAX == RS_CHAIN_MAX + 1) };

/* Store the frames of ANSWER, from rossym_lookup_many(), in TO.  Returns 1; 0 if they do not fit; or -1. */
static int store_frames_of_answer(struct rossym_image *image, const struct rossym_frame *answer,
				  struct rs_frame_store *to, struct rossym_error *err)
{
	struct rossym_frames frames;
	struct rossym_frame frame;
	uint32_t end = to->used;
	if (!rs_frame_is_known(answer)) {
		if (end == to->room)
			return 0;
		to->frames[end] = *answer;
		return rs_frame_store_end(to, end + 1);
	}
	if (rossym_frames_begin(image, answer, &frames, err) < 0)
		return -1;
	while (rossym_frames_next(&frames, &frame)) {
		if (end == to->room)
			return 0;
		to->frames[end++] = frame;
	}
	return rs_frame_store_end(to, end);
}

/* Look up COUNT addresses, at most RS_INDEX_BATCH, in an image without chains.  Reads the frames of one answer after
   the other from the block.  Returns what look_up_in_chains() does, or -1. */
static int look_up_without_chains(struct rossym_image *image, const uint64_t *rvas, int count, unsigned flags,
				  struct rs_frame_store *to, struct rossym_error *err)
{
	struct rossym_frame answers[RS_INDEX_BATCH];
	if (rossym_lookup_many(image, rvas, (size_t)count, flags, answers, err) < 0)
		return -1;
	for (int i = 0; i < count; i++) {
		const int taken = store_frames_of_answer(image, &answers[i], to, err);
		if (taken <= 0)
			return taken < 0 ? -1 : i;
	}
	return count;
}

int rossym_lookup_frames(struct rossym_image *image, const uint64_t *rvas, size_t count, unsigned flags,
			 struct rossym_frame *frames, uint32_t room, uint32_t *ends, struct rossym_error *err)
{
	struct rs_frame_store to = { .frames = frames, .room = room, .ends = ends };
	if (rs_check_flags(flags, ROSSYM_LOOKUP_DATA, err) < 0 || rs_image_ensure_answers(image, rvas, count, err) < 0)
		return -1;
	const struct rs_chains *chains = rs_image_needs_sections(image)
						 ? NULL
						 : atomic_load_explicit(&image->chains, memory_order_acquire);
	const int most = count < INT_MAX ? (int)count : INT_MAX;
	int done = 0, step, taken;
	do {
		step = most - done < RS_INDEX_BATCH ? most - done : RS_INDEX_BATCH;
		taken = chains ? look_up_in_chains(image, chains, rvas + done, step, flags, &to)
			       : look_up_without_chains(image, rvas + done, step, flags, &to, err);
		if (taken < 0)
			return -1;
		done += taken;
	} while (taken == step && done < most);
	return done;
}
